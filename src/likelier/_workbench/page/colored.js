// A text with its words colored by weight; and explanations that the library wrote.

import { ask } from "./api.js";
import { make, named } from "./dom.js";

/** The text as nodes. Where terms overlap, as pairs of words do, their weights are added. */
export function colored(text, parts) {
  const points = Array.from(text); // places are counted in characters, not in units of UTF-16
  const edges = [...new Set([0, points.length, ...parts.flatMap(each => [each.start, each.end])])].sort((a, b) => a - b);
  const pieces = edges.slice(0, -1).map((start, index) => {
    const end = edges[index + 1], over = parts.filter(each => each.start < end && each.end > start);
    return { words: points.slice(start, end).join(""), over, weight: over.reduce((sum, each) => sum + each.weight, 0) };
  });
  const most = Math.max(...pieces.map(each => Math.abs(each.weight)), 1e-9);
  return pieces.map(each => (each.over.length && each.words.trim() ? piece(each, most) : each.words));
}

function piece({ words, over, weight }, most) {
  const title = over.map(each => `${each.term}: ${weight_of(each.weight)} for ${each.label}`).join("\n");
  const found = make("span", { class: weight > 0 ? "for" : weight < 0 ? "against" : null, title }, words);
  found.style.setProperty("--w", (Math.abs(weight) / most).toFixed(2));
  return found;
}

const weight_of = weight => Math.abs(weight).toFixed(2);

/** What the colors mean. */
export function legend(parts, verdict) {
  const other = parts.find(each => each.weight < 0)?.label;
  const sign = (kind, label) => {
    const found = make("span", { class: kind }, "speaks for ", named(label));
    found.style.setProperty("--w", ".6");
    return found;
  };
  return [sign("for", verdict.label), ...(other === undefined ? [] : [" ", sign("against", other)])];
}

// The library writes styles into its pages, which the policy of ours forbids. In its markup a quotation mark from outside
// is always escaped, so ` style="` is its own. The policy allows to set the same values from here.
const STYLES = /<style>[\s\S]*?<\/style>/g, STYLE = / style="/g;

/** A piece of HTML that the library wrote, as nodes. */
export function fragment(html) {
  const parsed = new DOMParser().parseFromString(html.replace(STYLES, "").replace(STYLE, ' data-style="'), "text/html");
  const found = document.importNode(parsed.querySelector("section") ?? parsed.body, true);
  for (const each of found.querySelectorAll("[data-style]")) {
    for (const rule of each.dataset.style.split(";")) {
      const [name, value] = rule.split(":");
      if (value) each.style.setProperty(name.trim(), value.trim());
    }
    delete each.dataset.style;
  }
  for (const wide of found.querySelectorAll(".wide, p:has(> math)")) {
    wide.classList.add("wide");
    wide.tabIndex = 0;
    wide.setAttribute("role", "group");
    wide.setAttribute("aria-label", "Scrolls sideways");
  }
  return found;
}

/** The sum behind the verdict on a text. */
export async function explanation(text, options = {}) {
  const headers = { Accept: "text/html", "Content-Type": "application/json" };
  const answer = await ask("/v1/explain", { method: "POST", headers, body: JSON.stringify({ text }), ...options });
  return fragment(await answer.text());
}
