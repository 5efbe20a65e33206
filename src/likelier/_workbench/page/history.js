// History: every lesson, and the lessons behind a verdict.

import { get } from "./api.js";
import { causes } from "./caused.js";
import { byId, button, excerpt, later, make, named, number, put, several } from "./dom.js";
import { follow, listen, undo } from "./live.js";
import { keys, trying } from "./shell.js";

const WHEN = new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeStyle: "short" });
const LIMIT = 50;
let shown = LIMIT; // how many lessons are on the screen

function inWords({ kind, text, label, before, places, weight }) {
  const many = Array.isArray(places) ? places.length : places;
  const strong = make("strong", {}, named(label));
  if (kind === "skip") return ["Skipped ", excerpt(text)];
  if (kind === "word") return [weight ? "Taught the word " : "Took back the word ", excerpt(text), " for ", strong];
  if (kind === "bulk") return [`Accepted ${several(many ?? 0, "verdict")} at once`];
  if (kind === "undo") return ["Undid ", text ? excerpt(text) : `${several(many ?? 0, "verdict")}`];
  const was = before === null || before === undefined ? [] : [make("span", { class: "faint" }, "instead of "), named(before), " "];
  return [strong, " ", was, excerpt(text)];
}

const HOW = { random: "drawn at random", chosen: "chosen because unsure", found: "found by search", bulk: "accepted at once" };

function row(lesson) {
  const { number: name, kind, at, by, how, undone } = lesson;
  const details = [`Lesson ${number(name + 1)}`, WHEN.format(new Date(at)), by === "local" ? "" : `by ${by}`, HOW[how] ?? "", undone ? "undone" : ""];
  const isOpen = !undone && kind !== "undo";
  return make("li", { class: undone ? "line undone" : "line" },
    make("div", {}, make("p", {}, inWords(lesson)), make("p", { class: "faint" }, make("bdi", {}, details.filter(Boolean).join(" · ")))),
    isOpen ? button("Undo", () => takeBack(name), { "aria-label": `Undo lesson ${name + 1}` }) : null);
}

async function takeBack(name) {
  if (await undo(name)) await load();
  byId("lessons-title").scrollIntoView({ block: "nearest" });
}

async function load() {
  const found = [];
  while (found.length < shown) {
    const before = found.at(-1)?.number;
    const { lessons } = await get("/v1/labeling/history", { before, limit: LIMIT });
    found.push(...lessons);
    if (lessons.length < LIMIT) break;
  }
  put(byId("lessons"), found.map(row));
  byId("none").hidden = found.length > 0;
  byId("more").hidden = found.length < shown;
}

async function cause(event) {
  event.preventDefault();
  const text = byId("asked").value.trim();
  if (!text) return;
  put(byId("caused"), make("p", { class: "faint" }, "Forgetting each lesson once, to see what happens…"));
  const found = await trying(() => get("/v1/labeling/causes", { text }));
  put(byId("caused"), found ? causes(found) : null);
}

const soon = later(150, () => trying(load));

byId("cause").addEventListener("submit", cause);
byId("more").addEventListener("click", () => {
  shown += LIMIT;
  trying(load);
});
keys({ u: () => undo(), "Control+z": () => undo() });
follow(soon);
listen();
