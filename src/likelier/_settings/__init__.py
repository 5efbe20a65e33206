"""The settings of a view, and how they were chosen.

table      declares every setting
values     `Settings`: the settings of a view, checked
in_words   settings and analyzers in words
selection  which settings were tried, which were chosen, and why
reference  docs/settings.md, made from the table
"""
