// Label: one text, one key, the next text. The next text is shown from the queue that is here already; what the server
// says then replaces the rest. If it refuses an answer, its text comes back.

import { get } from "./api.js";
import { colored, explanation, legend } from "./colored.js";
import { byId, button, excerpt, later, make, named, number, percent, put, spelled } from "./dom.js";
import * as figures from "./figures.js";
import { follow, lesson, listen, state, teach, undo } from "./live.js";
import { announce, complain, hush, keys, sending, trying } from "./shell.js";
import { causes } from "./caused.js";
import { showWords } from "./telling.js";

const GUARD = 700; // milliseconds in which keys do nothing after another window has changed the text under the fingers
const PICKED = {
  random: "Drawn at random",
  chosen: "Chosen because its label is unsure",
  found: "Found by you",
};

const pending = new Set(); // places that were answered here, and not yet there
let pinned = null; // a question that was searched for
let shown = null; // the question on the screen
let guarded = 0;

const question = () => pinned ?? state()?.queue.find(each => !pending.has(each.place)) ?? null;

// ---- showing --------------------------------------------------------------------------------------------------------

function paint(found, { own = true } = {}) {
  const asked = question(), moved = asked?.place !== shown?.place;
  if (moved && shown && !own) guard();
  shown = asked;
  if (asked) showQuestion(asked, moved);
  else showNothing(found);
  showLabels(found.labels, asked);
  byId("back").hidden = !pinned;
  byId("skip").disabled = !asked;
}

function guard() {
  guarded = performance.now() + GUARD;
  announce("Another window labeled that text. Here is the next one.");
}

function showQuestion(asked, moved) {
  byId("sheet").removeAttribute("aria-busy");
  const now = asked.label === null ? "" : `, labeled ${spelled(asked.label)}`;
  byId("how").textContent = `Text ${number(asked.place + 1)}. ${PICKED[asked.how] ?? "Asked"}${now}`;
  put(byId("text"), colored(asked.text, asked.verdict ? asked.parts : []));
  showVerdict(asked);
  if (moved) {
    put(byId("caused"));
    explain();
  }
}

function showVerdict({ verdict, parts }) {
  const isThere = Boolean(verdict && verdict.label !== null);
  byId("suggestion").hidden = !isThere;
  byId("why").hidden = !isThere;
  byId("legend").hidden = !isThere || !parts.length;
  if (!isThere) return;
  const unknown = verdict.unknown_share >= 0.5 ? ` ${percent(verdict.unknown_share)} of its words are new.` : "";
  put(byId("verdict"), "Suggestion: ", make("strong", {}, named(verdict.label)), ` ${percent(verdict.probability)}.${unknown}`);
  put(byId("legend"), legend(parts, verdict));
}

function showNothing(found) {
  const { pool, labeled, skipped } = found.progress, isBusy = !found.settled || pool > labeled + skipped;
  byId("sheet").setAttribute("aria-busy", String(isBusy));
  byId("how").textContent = isBusy ? "Choosing the next texts…" : pool ? "Nothing is left to ask" : "No texts yet";
  put(byId("text"), isBusy ? "" : pool ? make("a", { href: "/export" }, "Take the model home") : make("a", { href: "/" }, "Add texts"));
  for (const name of ["suggestion", "why", "legend"]) byId(name).hidden = true;
}

function showLabels(labels, asked) {
  put(byId("labels"), labels.map((label, index) => {
    const isSuggested = asked?.verdict?.label === label;
    return button([index < 9 ? make("kbd", {}, String(index + 1)) : null, named(label)], () => answer(label), {
      class: isSuggested ? "suggested" : null,
      "aria-pressed": asked && asked.label !== null ? String(asked.label === label) : null,
      disabled: !asked,
    });
  }));
  byId("naming").classList.toggle("needed", labels.length < 2);
}

function showSide(found) {
  byId("progress").textContent = figures.progress(found.progress);
  Object.assign(byId("bar"), { max: Math.max(found.progress.pool, 1), value: found.progress.labeled + found.progress.skipped });
  byId("bar").setAttribute("aria-valuetext", figures.progress(found.progress));
  const { changed } = found;
  byId("changed").textContent = changed ? `The last lesson flipped ${number(changed.flipped)} of ${number(changed.of)} verdicts.` : "";
  put(byId("accuracy"), figures.accuracy(found.accuracy));
  byId("sample").textContent = figures.sampled(found.accuracy);
  showInterval(found.accuracy);
  const isDone = found.enough?.startsWith("nothing");
  byId("enough").hidden = !found.enough;
  put(byId("enough"), isDone ? "Nothing is left to ask. " : `You can stop here: ${found.enough}. `, make("a", { href: "/classify" }, "Accept the sure verdicts"), " or ", make("a", { href: "/export" }, "take the model home"), ".");
  byId("undo").disabled = !found.last;
  byId("last").textContent = found.last ? `Undo takes back: ${lesson(found.last)}` : "";
}

function showInterval({ share, low, high }) {
  const bar = byId("interval");
  bar.hidden = share === null;
  if (share === null) return;
  for (const [name, value] of Object.entries({ low, high, share })) bar.style.setProperty(`--${name}`, value);
}

// ---- answering ------------------------------------------------------------------------------------------------------

async function give(what, more, words) {
  const asked = question(), before = pinned;
  if (!asked || performance.now() < guarded) return;
  pinned = null;
  pending.add(asked.place);
  hush();
  paint(state());
  announce([words, said(question())].filter(Boolean).join(" "));
  toText();
  try {
    await teach(what, { place: asked.place, ...more });
  } catch (failure) {
    pinned = before;
    complain(failure, "This text was not saved: ");
  } finally {
    pending.delete(asked.place);
    paint(state());
  }
}

const answer = label => give("answer", { label }, `Labeled ${spelled(label)}.`);
const skip = () => give("skip", {}, "Skipped.");

function accept() {
  const label = question()?.verdict?.label;
  if (label === null || label === undefined) return announce("There is no suggestion yet.");
  return answer(label);
}

function said(asked) {
  if (!asked) return "There is no next text yet.";
  const { verdict } = asked;
  return verdict && verdict.label !== null ? `Next suggestion: ${spelled(verdict.label)}, ${percent(verdict.probability)}.` : "No suggestion for the next text.";
}

/** Puts the focus on the text, so that a screen reader reads it and Enter does not press the same button again. */
function toText() {
  byId("text").focus({ preventScroll: true });
  byId("sheet").scrollIntoView({ block: "nearest" });
}

function byNumber(index) {
  const label = state()?.labels[index];
  return label === undefined ? announce(`There is no label ${index + 1}.`) : answer(label);
}

async function nameLabel(event) {
  event.preventDefault();
  const label = byId("name").value.trim();
  if (!label) return;
  const found = await sending(byId("name"), () => teach("labels", { label }));
  if (!found) return;
  announce(`Label ${label} added as number ${found.labels.indexOf(label) + 1}.`);
  if (found.labels.length > 1 && !byId("name").value) toText();
}

// ---- search ---------------------------------------------------------------------------------------------------------

function openSearch() {
  byId("search").showModal();
  byId("search-field").focus();
  byId("search-field").select();
}

const search = later(150, () => trying(async () => {
  const text = byId("search-field").value.trim();
  if (!text) return void put(byId("found"));
  const { found, total } = await get("/v1/labeling/search", { text, limit: 50 });
  byId("found-count").textContent = total > found.length ? `The first ${found.length} of ${number(total)} texts` : `${number(total)} found`;
  put(byId("found"), found.map(each => make("li", {}, button([excerpt(each.text, 160), each.label === null ? null : make("em", {}, named(each.label))], () => pin(each.place)))));
}));

async function pin(place) {
  const found = await trying(() => get("/v1/labeling/question", { place }));
  if (!found) return;
  byId("search").close();
  pinned = found;
  paint(state());
  toText();
  announce(`Text ${number(place + 1)}.`);
}

function unpin() {
  if (!pinned) return;
  pinned = null;
  paint(state());
  announce("Back to the queue.");
}

// ---- why ------------------------------------------------------------------------------------------------------------

let asking = null;

function explain() {
  asking?.abort();
  if (!byId("why").open || !shown) return;
  asking = new AbortController();
  const { text } = shown, { signal } = asking;
  trying(async () => put(byId("explanation"), await explanation(text, { signal })));
}

byId("why").addEventListener("toggle", explain);
byId("causes").addEventListener("click", () => trying(async () => put(byId("caused"), causes(await get("/v1/labeling/causes", { place: shown.place })))));
byId("accept").addEventListener("click", accept);
byId("skip").addEventListener("click", skip);
byId("undo").addEventListener("click", () => undo());
byId("find").addEventListener("click", openSearch);
byId("back").addEventListener("click", unpin);
byId("naming").addEventListener("submit", nameLabel);
byId("search-field").addEventListener("input", search);
byId("search-form").addEventListener("submit", event => (event.preventDefault(), byId("found").querySelector("button")?.focus()));
byId("search-close").addEventListener("click", () => byId("search").close());

keys({
  ...Object.fromEntries(Array.from({ length: 9 }, (_, index) => [String(index + 1), () => byNumber(index)])),
  Enter: accept,
  s: skip,
  u: () => undo(),
  "Control+z": () => undo(),
  "/": openSearch,
  w: () => byId("word").focus(),
  l: () => byId("name").focus(),
  Escape: unpin,
});

let isFirst = true;

follow((found, { own = false } = {}) => {
  paint(found, { own });
  showSide(found);
  showWords(found);
  if (!isFirst) return;
  isFirst = false;
  const [, place] = /^#place=(\d+)$/.exec(location.hash) ?? [];
  if (place) pin(Number(place));
  else if (found.labels.length < 2) byId("name").focus();
});
listen();
