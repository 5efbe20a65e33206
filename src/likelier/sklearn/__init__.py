"""scikit-learn's interface: thin estimators that parse, call the library and return arrays.

classifier  NaiveBayesClassifier: raw texts, a frame with columns of all kinds, rows, or numbers
words       TextCounts: texts to a sparse matrix, in place of CountVectorizer
given       X in all its forms, as the library takes it
classes     y as labels, and labels as y had them
"""

from likelier._base.errors import error

try:
    import scipy.sparse as _scipy  # type: ignore[import-untyped]  # noqa: F401
    import sklearn as _sklearn  # type: ignore[import-untyped]  # noqa: F401
except ImportError as missing:
    raise error("scikit-learn-missing", reason=missing) from None

from likelier.sklearn.classifier import NaiveBayesClassifier
from likelier.sklearn.words import TextCounts

__all__ = ["NaiveBayesClassifier", "TextCounts"]
