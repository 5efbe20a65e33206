// Figures in words, as several screens show them.

import { make, number, percent, several } from "./dom.js";

/** The accuracy with its interval, or why there is none. */
export function accuracy(found) {
  if (found.share === null) return [capital(found.reason ?? "too few to judge"), "."];
  return [make("strong", {}, percent(found.share)), ` (95 % interval: ${percent(found.low)} to ${percent(found.high)})`];
}

export function sampled(found) {
  if (found.share === null) return `${number(found.documents)} of at least 10 texts drawn at random have a label.`;
  return `Over ${several(found.documents, "text")} drawn at random, each judged by the model without it.`;
}

/** How many of the sure verdicts are right. */
export function sure(found) {
  if (found.share === null) return "Too few texts drawn at random are this sure to tell how many are right.";
  const of = `Of ${several(found.documents, "text")} drawn at random and this sure, `;
  return [of, make("strong", {}, percent(found.share)), ` are right (95 % interval: ${percent(found.low)} to ${percent(found.high)}).`];
}

export function progress(found) {
  const skipped = found.skipped ? `, ${number(found.skipped)} skipped` : "";
  return `${number(found.labeled)} of ${several(found.pool, "text")} labeled${skipped}`;
}

const capital = text => text.charAt(0).toUpperCase() + text.slice(1);
