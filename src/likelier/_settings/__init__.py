"""The settings of a view, and how they were chosen."""
