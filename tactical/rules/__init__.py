"""What any rule system must say, and the rule systems."""
