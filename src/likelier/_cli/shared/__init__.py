"""What several commands share.

program.py       commands, options and how help looks
options.py       types of options, and options of many commands
file_options.py  how files are read: format, columns
view_options.py  the settings of a view; setting_options.py makes their options from the table of settings
typed.py         documents as arguments or on standard input
output.py        data on stdout, everything else on stderr; color, width, tables
targets.py       files to write
progress.py      what is shown while files are read or a model is updated
failures.py      errors and exit statuses; hints.py has the library's hints for the shell
methods.py       evaluation methods
"""
