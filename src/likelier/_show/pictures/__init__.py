"""Pictures of plain numbers as SVG: each function gives a whole file, which may also stand in a page.

bars    bars side by side (smoothing), to both sides of zero (ratios), and one after the other (a verdict)
curves  normal densities, with the value that was asked about
sets    two events as circles whose areas fit
"""

from likelier._show.pictures.bars import Bar, diverging_bars, paired_bars, waterfall
from likelier._show.pictures.curves import densities
from likelier._show.pictures.sets import venn

__all__ = ["Bar", "densities", "diverging_bars", "paired_bars", "venn", "waterfall"]
