"""The style of an explanation in HTML: light, dark and in print. Every rule starts with the section's own class."""

STYLE = """
.likelier { color-scheme: light dark; --ink: #1b1f24; --faint: #59636e; --line: #d1d9e0; --paper: #fff;
  --for: 9 105 218; --against: 219 109 40;
  font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); padding: 1em; max-width: 66em;
  print-color-adjust: exact; -webkit-print-color-adjust: exact; }
@media (prefers-color-scheme: dark) {
  .likelier { --ink: #e6edf3; --faint: #9198a1; --line: #3d444d; --paper: #0d1117;
    --for: 88 166 255; --against: 240 136 62; }
}
@media print {
  .likelier { --ink: #000; --faint: #444; --line: #999; --paper: #fff; --for: 9 105 218; --against: 219 109 40; }
}
.likelier p { margin: 0 0 .6em; max-width: 48em; }
.likelier .wide { overflow-x: auto; }
.likelier .verdict { font-size: 1.2em; }
.likelier .note { color: var(--faint); font-size: .9em; }
.likelier .note span { margin-inline-end: .8em; }
.likelier .text { white-space: pre-wrap; overflow-wrap: anywhere; line-height: 1.9; }
.likelier .column { color: var(--faint); font-size: .9em; }
.likelier p.column { margin: 0; }
.likelier .values { display: flex; flex-wrap: wrap; gap: .4em; max-width: none; }
.likelier .box { border: 1px solid var(--line); border-radius: .35em; padding: .1em .55em .25em;
  overflow-wrap: anywhere; min-width: 0; }
.likelier .box bdi span { padding-inline: .2em; }
.likelier span.for, .likelier span.against { padding: .1em 0; border-radius: .15em; text-decoration: underline;
  text-decoration-thickness: 2px; text-underline-offset: .25em; text-decoration-skip-ink: none; }
.likelier span.for { background: rgb(var(--for) / calc(var(--w, 0) * .45));
  text-decoration-color: rgb(var(--for) / calc(.2 + var(--w, 0) * .8)); }
.likelier span.against { background: rgb(var(--against) / calc(var(--w, 0) * .45));
  text-decoration-style: wavy; text-decoration-thickness: 1px;
  text-decoration-color: rgb(var(--against) / calc(.2 + var(--w, 0) * .8)); }
.likelier span.unknown { text-decoration: underline dotted var(--faint) 2px; text-underline-offset: .25em; }
.likelier table { border-collapse: collapse; margin: 0 0 1em; font-size: .87em; color: inherit; background: none; }
.likelier th, .likelier td { padding: .2em .5em; text-align: start; font-weight: normal; border: 0;
  white-space: nowrap; }
.likelier tbody th { white-space: normal; overflow-wrap: anywhere; min-width: 8em; max-width: 16em; }
.likelier thead th { color: var(--faint); border-bottom: 1px solid var(--line); }
.likelier tfoot th, .likelier tfoot td { border-top: 1px solid var(--line); font-weight: bold; }
.likelier tr, .likelier tr:nth-child(even) { background: none; }
.likelier .n { text-align: end; font-variant-numeric: tabular-nums; }
.likelier .f { color: var(--faint); font-variant-numeric: tabular-nums; }
.likelier .prior th, .likelier .more th, .likelier .absent th, .likelier .unknown th { color: var(--faint); }
.likelier .bar { min-width: 7em; padding-inline: 0; }
.likelier .bar div { position: relative; height: .9em; direction: ltr;
  background: linear-gradient(var(--line), var(--line)) 50% 0 / 1px 100% no-repeat; }
.likelier .bar i { position: absolute; top: 0; bottom: 0; }
.likelier .bar i.for { left: 50%; background: rgb(var(--for)); }
.likelier .bar i.against { right: 50%; border: 1px solid rgb(var(--against)); box-sizing: border-box;
  background: repeating-linear-gradient(45deg, rgb(var(--against)) 0 2px, transparent 2px 4px); }
@media print { .likelier { padding: 0; max-width: none; font-size: 10pt; } .likelier tr { break-inside: avoid; } }
"""
