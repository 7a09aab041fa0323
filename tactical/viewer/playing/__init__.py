"""The play at the table: whose turn, what is planned, what is offered."""
