"""Text to terms: the analyzer, and what it knows of languages.

analyzer   the settings under which a text becomes terms
checks     the values that these settings accept
terms      from a token to its term
steps      the analysis of texts, step by step
languages  stop words, lemmas and stems by language; stop_words/ has likelier's own lists
texts      texts from the caller, checked
"""
