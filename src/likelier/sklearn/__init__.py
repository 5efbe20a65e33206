"""scikit-learn's interface: thin estimators that parse, call the library and return arrays.

_classifier  NaiveBayesClassifier: raw texts, a frame with columns of all kinds, rows, or numbers
_words       TextCounts: texts to a sparse matrix, in place of CountVectorizer
_given       X in all its forms, as the library takes it
_columns     the kinds of columns, by name or by place
_classes     y as labels, and labels as y had them
_matrix      bags of terms to a sparse matrix; which terms get a column
_vocabulary  a vocabulary that is given and not learned
"""

from likelier._base.errors import error

try:
    import scipy.sparse as _scipy  # type: ignore[import-untyped]  # noqa: F401
    import sklearn as _sklearn  # type: ignore[import-untyped]  # noqa: F401
except ImportError as missing:
    raise error("scikit-learn-missing", reason=missing) from None

from likelier.sklearn._classifier import NaiveBayesClassifier
from likelier.sklearn._words import TextCounts

__all__ = ["NaiveBayesClassifier", "TextCounts"]

for _estimator in (NaiveBayesClassifier, TextCounts):
    _estimator.__module__ = __name__  # pickles hold the name to import, not the module that defines it
