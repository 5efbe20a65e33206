"""The workbench: people label a pool of texts in a browser, and the server's model learns with every answer.

store        the pool, and what was done with it, in the log's database
drafts       from a lesson of the labeling to lessons of the server
bench        `Workbench`: the labeling of a server; it refills the queue behind the scenes, and wakes who waits
shown        what a page shows of it: the state, questions with their words weighed, lessons
files        from a file to texts, and from a file to the same file with labels
forms        the forms of requests and of answers
doing        endpoints that change the labeling: answer, skip, undo, words, pool
looking      endpoints that look at it: state, search, check, history, causes
words        endpoints about words and texts: ratios, derivation, the file with labels, the report
routes       every address
pages        the pages themselves
start        `likelier label`, and `likelier serve` with a page
"""
