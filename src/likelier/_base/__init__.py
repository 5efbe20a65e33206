"""What every room may use: errors, checks, number types, threads.

errors   all errors, each with a stable code, a message and a hint; errors.toml has their texts
checks   checks of plain values, and of settings that several functions take
numbers  types of arrays, single numbers and fractions
threads  how many threads to use, and how one model is shared by many
cached   attributes that are computed when they are first asked for
files    writing a file all at once, and durably
version  the version of likelier
"""
