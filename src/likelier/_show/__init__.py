"""How anything is printed."""
