"""What a document is: schema, kinds of columns, labels, values, weights, batches."""
