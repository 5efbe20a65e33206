"""Binary multinomial event model (Jurafsky & Martin, "Speech and Language Processing", section 4.4).

    P(t|c) = (df(t,c) + alpha) / (sum of df(v,c) over V + alpha |V|)

The multinomial model after each document's repeats are counted once. Absent terms do not count.
"""

from likelier._estimate.multinomial import evidence, weight

__all__ = ["ONCE", "evidence", "weight"]

ONCE = True
