"""Reading: from what a user has to batches of documents.

reader       `read` and `Documents`: batches from files, folders, mailboxes or a data frame, read ahead on a thread
intake       what Python has: pairs, rows, lists of texts and labels, data frames, names of files; and questions
kept         documents for several passes, read once if they fit into memory
cleaned      documents whose labels are cleaned of spellings in other case and with other blanks
origins      what documents are read from, each giving batches: a table, a data frame, a folder of files or mails

sources      from what the user typed to files, folders and pipes
folders      what a folder holds: tables, mailboxes, one sub-folder for each label, texts
formats      what a file is, by its name and its first bytes; which files are refused
streams      a source opened: bytes and blocks of UTF-8; files that change while they are read
lines        text from a stream: its lines as they arrive, or all of it
compression  gzip, Zstandard, bzip2 and xz
encodings    bytes to text: of tables, of files and of mails
detection    which encoding a text is in, if none is named

tabular      what all tables have in common; lists and data frames as tables
text_tables  CSV, TSV and JSON
json_array   a JSON array as JSON Lines
spreadsheets .xlsx, .xls and .ods
parquet      Parquet files
wanted       which columns the user named, or a model has
decimals     numbers with a decimal comma
guessing     what a column holds, guessed from its first rows
choice       which columns of a table are read, and as what
usable       from columns as they are read to values as they are counted

entries      documents that are files or mails
mail         the text of a mail
html_text    the text of a page

sheet_rows   the row that a spreadsheet shows for a line of CSV
faults       rows, values and documents that cannot be used, and the limit on their length
rejects      what is done with them: stop, or skip and write them to a file
"""
