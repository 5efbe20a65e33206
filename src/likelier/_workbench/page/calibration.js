// The calibration as a drawing: how probable the verdicts were, and how often they were right.

import { percent, several } from "./dom.js";

const SPACE = "http://www.w3.org/2000/svg", SIZE = 260, EDGE = 36, TOP = 14;

function draw(tag, attributes = {}, ...children) {
  const found = document.createElementNS(SPACE, tag);
  for (const [name, value] of Object.entries(attributes)) found.setAttribute(name, value);
  found.append(...children);
  return found;
}

const across = share => EDGE + share * SIZE, up = share => TOP + (1 - share) * SIZE;

export function calibration(bins) {
  const most = Math.max(1, ...bins.map(each => each.documents));
  const width = EDGE + SIZE + 14, height = TOP + SIZE + EDGE + 4;
  const points = bins.map(each => draw("circle",
    { cx: across(each.mean), cy: up(each.share), r: 4 + 8 * Math.sqrt(each.documents / most), class: "point" },
    draw("title", {}, `${several(each.documents, "text")}: ${percent(each.mean)} probable, ${percent(each.share)} right`)));
  const words = bins.map(each => `${percent(each.mean)} probable, ${percent(each.share)} right`).join("; ");
  return draw("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `Calibration: ${words}` },
    ...[0, 0.25, 0.5, 0.75, 1].flatMap(grid),
    draw("path", { class: "even", d: `M${across(0)} ${up(0)}L${across(1)} ${up(1)}` }),
    ...points,
    draw("text", { x: across(0.5), y: height - 2, "text-anchor": "middle" }, "probability of the verdict"),
    draw("text", { x: -up(0.5), y: 10, transform: "rotate(-90)", "text-anchor": "middle" }, "share that is right"));
}

function grid(share) {
  return [
    draw("path", { class: "grid", d: `M${across(share)} ${up(0)}V${up(1)}M${across(0)} ${up(share)}H${across(1)}` }),
    draw("text", { x: across(share), y: up(0) + 15, "text-anchor": "middle" }, `${100 * share}`),
    draw("text", { x: across(0) - 5, y: up(share) + 4, "text-anchor": "end" }, `${100 * share}`),
  ];
}
