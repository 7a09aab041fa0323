<?xml version="1.0" encoding="UTF-8"?>
<tileset version="1.10" name="tiles" tilewidth="32" tileheight="32">
 <tile id="1" class="Water"/>
 <tile id="2" type="Bush"><properties><property name="difficult" value="true"/></properties></tile>
 <tile id="3"><properties><property name="movement_cost" type="float" value="3"/></properties></tile>
</tileset>
