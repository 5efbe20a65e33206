"""What every room may use: errors, checks, number types, threads."""
