"""How anything is printed.

table        a table in every form: terminal, Markdown, HTML, LaTeX, CSV, rows as mappings
layout       a table in the cells of a terminal
expressions  a formula in every form: text, LaTeX, MathML
normal       the density of a normal distribution, likewise
decimals     exact numbers as decimals, in few digits or rounded as by hand
blocks       sentences and equations below each other, in every form
cells        text in the cells of a terminal: width, cutting, color
progress     how far work has come: a bar with the time left
words        numbers, percentages, plurals and lists
html_words   text from outside in a page: escaped and cut
svg          what pictures are made of: text, lines, bars, in light, dark and print
pictures     bars, densities and circles of plain numbers, as SVG
latex        text and numbers in LaTeX, and documents that compile
"""
