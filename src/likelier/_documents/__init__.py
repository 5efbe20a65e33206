"""What a document is: schema, kinds of columns, labels, values, weights, batches.

schema    the columns of a document, and what each of them holds
kinds     the kinds of columns: text, categorical, binary, numeric, bound
labels    labels: text, integers or booleans
values    the values of one column of some documents
weights   the weights of documents, and of terms in a document
batch     some documents as columns
spelling  values as text: one spelling for each value
plain     values as plain JSON values, and back
"""
