"""The style of the page: light, dark and on paper. It builds on the style of an explanation and its colours."""

STYLE = """
.report { --s1: #0969da; --s2: #bc4c00; --s3: #1a7f37; --s4: #8250df; --s5: #bf3989; --s6: #59636e;
  --tint: rgb(var(--for) / .1); margin: 0 auto; padding: 2em clamp(1em, 4vw, 2.5em) 3em; max-width: 64em;
  overflow-wrap: break-word; }
@media (prefers-color-scheme: dark) {
  .report { --s1: #58a6ff; --s2: #f0883e; --s3: #56d364; --s4: #bc8cff; --s5: #f778ba; --s6: #b1bac4;
    --tint: rgb(var(--for) / .22); }
}
html { background: #fff; }
@media (prefers-color-scheme: dark) { html { background: #0d1117; } }
.report h1 { font-size: clamp(1.5em, 4vw, 2.1em); line-height: 1.2; margin: 0 0 .5em; }
.report h2 { font-size: 1.35em; line-height: 1.3; margin: 0 0 .5em; }
.report .kicker { color: var(--faint); margin: 0 0 .2em; }
.report .headline { font-size: clamp(1.15em, 2.6vw, 1.4em); line-height: 1.4; max-width: 38em; margin: 0 0 .6em; }
.report .lead { margin: 0 0 1.2em; }
.report .tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(10.5em, 1fr)); gap: .7em; margin: 0; }
.report .tiles div { border: 1px solid var(--line); border-radius: .5em; padding: .6em .9em .7em; }
.report .tiles dt { color: var(--faint); font-size: .87em; }
.report .tiles dd { margin: 0; color: var(--faint); font-size: .87em; }
.report .tiles b { display: block; color: var(--ink); font-size: 1.7em; line-height: 1.3; font-weight: 600;
  font-variant-numeric: tabular-nums; }
.report nav ul { display: flex; flex-wrap: wrap; gap: .2em 1.2em; list-style: none; padding: .7em 0 0;
  margin: 1.4em 0 0;  border-top: 1px solid var(--line); font-size: .93em; }
.report a { color: rgb(var(--for)); text-underline-offset: .2em; }
.report main > section { margin-top: 2.6em; scroll-margin-top: 1em; }
.report footer { margin-top: 3em; padding-top: .8em; border-top: 1px solid var(--line); color: var(--faint);
  font-size: .9em; }
.report .note span.for, .report .note span.against { color: var(--ink); }
.report em { color: var(--faint); }

.report .wide { position: relative; max-width: 100%; margin: 0 0 1em; }
.report .tall { width: fit-content; max-height: 32em; overflow: auto; border: 1px solid var(--line);
  border-radius: .4em; }
.report .tall thead th { position: sticky; top: 0; background: var(--paper); box-shadow: 0 1px var(--line); }
.report .wide table { margin: 0; font-size: .93em; }
.report .mistake .wide table { font-size: .85em; }
.report caption { text-align: start; color: var(--faint); padding: 0 0 .35em; white-space: normal; }
.report .tall caption { padding: .4em .6em; }
.report thead th { vertical-align: bottom; white-space: normal; max-width: 11em; }
.report tbody tr > * { border-top: 1px solid color-mix(in srgb, var(--line) 55%, transparent); }
.report tbody tr:first-child > * { border-top: 0; }
.report tfoot th, .report tfoot td { font-weight: normal; }
.report tfoot tr + tr > * { border-top: 0; }
.report tbody th, .report td { vertical-align: top; }
.report tr > :first-child { padding-inline-start: 0; }
.report .tall tr > :first-child { padding-inline-start: .6em; }
.report .rate { min-width: 5.5em;
  background: linear-gradient(var(--tint), var(--tint)) 0 50% / calc(var(--v) * 100%) 76% no-repeat; }
.report .grid td.for { background: rgb(var(--for) / calc(var(--w, 0) * .4)); }
.report .grid td.against { background: rgb(var(--against) / calc(.13 + var(--w, 0) * .45)); }
.report .grid td { min-width: 4.2em; }
.report .grid td.for, .report .grid td.against { border: 1px solid var(--paper); }
.report .grid small { display: block; font-size: .82em; }
.report tbody th { min-width: 6em; max-width: 22em; }
.report .pairs td:nth-child(2) { min-width: 6em; max-width: 22em; }
.report .pairs td:nth-child(2), .report .terms td, .report .facts td, .report .excerpt {
  white-space: normal; overflow-wrap: anywhere; }
.report .terms span.term { display: inline-block; border: 1px solid var(--line); border-radius: .35em; padding: 0 .45em;
  margin: .1em .15em .1em 0; }
.report .errors { padding-inline-start: 1.8em; margin: 0; }
.report .errors li { margin: 0 0 .7em; break-inside: avoid; }
.report p.excerpt { margin: 0; color: var(--faint); }
.report .where { color: var(--faint); font-size: .87em; margin-inline-start: .6em; }
.report .facts tbody th { min-width: 9em; }
.report .facts td { max-width: 34em; }
.report .tried tbody th { max-width: 40em; }
.report .unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }

.report .charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 18em), 1fr)); gap: 1em 2em;
  margin: 0 0 1em; }
.report figure { margin: 0; max-width: 27em; min-width: 0; }
.report figcaption { font-weight: 600; margin: 0 0 .3em; }
.report svg.chart { display: block; width: 100%; height: auto; direction: ltr; }
.report svg text { font: 12px system-ui, sans-serif; fill: var(--faint); font-variant-numeric: tabular-nums; }
.report svg text.name { fill: var(--ink); }
.report svg path { fill: none; stroke-width: 2; stroke-linejoin: round; }
.report svg .grid { stroke: var(--line); stroke-width: 1; }
.report svg .axis { stroke: var(--faint); stroke-width: 1; }
.report svg .even { stroke: var(--faint); stroke-width: 1.3; stroke-dasharray: 5 4; }
.report svg .spread { stroke: var(--s1); stroke-width: 1.4; opacity: .75; }
.report svg .bar { fill: var(--s1); opacity: .6; }
.report svg circle { fill: var(--s1); stroke: var(--paper); stroke-width: 1; }
.report svg .s1 { stroke: var(--s1); }
.report svg .s2 { stroke: var(--s2); stroke-dasharray: 7 3; }
.report svg .s3 { stroke: var(--s3); stroke-dasharray: 2 3; }
.report svg .s4 { stroke: var(--s4); stroke-dasharray: 9 3 2 3; }
.report svg .s5 { stroke: var(--s5); stroke-dasharray: 4 2; }
.report svg .s6 { stroke: var(--s6); stroke-dasharray: 12 4; }
.report svg.key { vertical-align: middle; margin-inline-end: .3em; }

.report details { border: 1px solid var(--line); border-radius: .5em; margin: 0 0 .6em; }
.report details.numbers { border: 0; }
.report summary { cursor: pointer; padding: .55em .9em; }
.report .numbers summary { padding-inline: 0; }
.report summary .excerpt { display: block; color: var(--faint); font-size: .93em; margin-top: .15em; }
.report details[open] summary .excerpt { display: none; }
.report .mistake section { border-top: 1px solid var(--line); max-width: none; border-radius: 0 0 .5em .5em; }
.report :focus-visible { outline: 2px solid rgb(var(--for)); outline-offset: 2px; }

@media print {
  html { background: #fff; }
  .report { --s1: #0969da; --s2: #bc4c00; --s3: #1a7f37; --s4: #8250df; --s5: #bf3989; --s6: #444; color-scheme: light;
    --tint: rgb(var(--for) / .1); padding: 0; }
  .report svg .grid { stroke: #ccc; }
  .report nav { display: none; }
  .report main > section { margin-top: 1.6em; }
  .report h2, .report figcaption, .report caption, .report summary { break-after: avoid; }
  .report figure, .report .tiles, .report .headline, .report .lead { break-inside: avoid; }
  .report h2 + p { break-after: avoid; }
  .report .tiles { grid-auto-flow: column; grid-template-columns: none; grid-auto-columns: 1fr; }
  .report .charts { grid-template-columns: 1fr 1fr; break-inside: avoid; }
  .report .wide, .report .tall { overflow: visible; max-height: none; border: 0; }
  .report .tall thead th { position: static; box-shadow: none; }
  .report .wide table { font-size: 8.5pt; }
  .report th, .report td { white-space: normal; }
  .report td.n { white-space: nowrap; }
  .report details::details-content { content-visibility: visible; block-size: auto; }
  .report details.numbers { display: none; }
  .report details.mistake { break-inside: avoid; }
  .report .mistake summary { list-style: none; }
  .report .mistake summary .excerpt { display: none; }
  .report .mistake section { padding: .3em .9em; }
  .report .mistake section .verdict, .report .mistake section .wide, .report .mistake section table { display: none; }
  .report a { color: inherit; text-decoration: none; }
  @page { margin: 15mm; }
}
"""
