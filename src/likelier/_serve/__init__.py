"""The server: `likelier serve`. It parses, calls the library and answers; and it keeps what it has acknowledged.

lessons, spans, log    what is taught, in order; two databases: sqlite_log with wal, postgres_log (`logs` picks one)
live                   the model as it is served, at a position of the log
drafts, requests, scribe  from a request to lessons that are written, taught and acknowledged
snapshots              the model file
audit                  whose lessons contradict those of the others
tokens                 who may do what
service                all of that together
connections, door      from the socket to an endpoint: limits, roles, errors, metrics
calls, parameters, gunzip  a request: who asks, the parameters of the address, the body
shapes, answers        the forms of requests and of answers
replies                what is sent back
routes                 every address, with the endpoints of asking, teaching, taught, operations
huggingface, kserve, label_studio  endpoints for clients of other systems, with the forms of `foreign`
label_config, annotations  Label Studio's questions, and from its annotations to lessons
openapi, metrics, reports  what the server reports about itself
run                    from options to the end of the process
"""
