"""Pictures of plain numbers as SVG: each function gives a whole file, which a page may contain as well.

bars         bars side by side: before and after smoothing
signed_bars  bars to both sides of zero: log ratios, and the steps from the prior to the verdict
curves       normal densities by label
sets         two events as circles whose areas fit
"""

from likelier._show.pictures.bars import Bar, paired_bars
from likelier._show.pictures.curves import densities
from likelier._show.pictures.sets import venn
from likelier._show.pictures.signed_bars import diverging_bars, waterfall

__all__ = ["Bar", "densities", "diverging_bars", "paired_bars", "venn", "waterfall"]
