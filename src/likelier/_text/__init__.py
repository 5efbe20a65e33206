"""Text to terms: the analyzer, and what it knows of languages."""
