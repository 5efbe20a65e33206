// The lessons that caused a verdict, as a list.

import { excerpt, make, named, percent, several, spelled } from "./dom.js";

export function causes({ verdict, causes: found, falls_to: other, complete }) {
  if (!verdict || verdict.label === null) return make("p", {}, "There is no verdict.");
  const name = make("strong", {}, named(verdict.label)), chance = verdict.probability === undefined ? "" : ` (${percent(verdict.probability)})`;
  if (!found.length) return make("p", {}, "The verdict is ", name, `${chance}. No single lesson caused it.`);
  const falls = other === null || other === undefined ? "no label" : spelled(other);
  const end = complete ? `Without ${found.length === 1 ? "this lesson" : `these ${several(found.length, "lesson")}`} it would be ${falls}.` : `Even without these ${several(found.length, "lesson")} it would stay.`;
  return make("div", {},
    make("p", {}, "The verdict is ", name, `${chance}. ${end}`),
    make("ol", { class: "cases" }, found.map(each => make("li", {}, make("p", {}, make("strong", {}, named(each.label)), " ", excerpt(each.text))))));
}
