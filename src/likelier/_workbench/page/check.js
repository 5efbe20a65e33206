// Check: where the labels and the model disagree.

import { get } from "./api.js";
import { calibration } from "./calibration.js";
import { byId, button, excerpt, later, make, named, number, percent, put, spelled, table } from "./dom.js";
import * as figures from "./figures.js";
import { follow, listen, teach, undo } from "./live.js";
import { announce, keys, trying } from "./shell.js";

const MOST = 10; // cases in a list

// ---- cases ----------------------------------------------------------------------------------------------------------

function oneCase({ place, text, label, likelier, log_odds: odds }) {
  return make("li", { tabindex: -1, "data-place": place },
    make("p", {}, excerpt(text)),
    make("p", {}, make("span", { class: "faint" }, "Labeled "), named(label), make("span", { class: "faint" }, ", likelier "), make("strong", {}, named(likelier)), make("span", { class: "faint" }, ` (${times(odds)} as likely)`)),
    make("p", { class: "tools" }, button(make("span", {}, "Correct to ", named(likelier)), () => correct(place, likelier), { class: "correct" }),
      make("a", { class: "button", href: `/label#place=${place}`, "aria-label": `Look at text ${place + 1}` }, "Look at it")));
}

function mistake({ place, text, label, likelier, probability }) {
  return make("li", {},
    make("p", {}, excerpt(text)),
    make("p", { class: "line" },
      make("span", {}, make("span", { class: "faint" }, "Labeled "), named(label), make("span", { class: "faint" }, ", verdict "), make("strong", {}, named(likelier)), make("span", { class: "faint" }, ` (${percent(probability)})`)),
      make("a", { href: `/label#place=${place}`, "aria-label": `Look at text ${place + 1}` }, "Look at it")));
}

/** Odds in words; very large ones are rounded down to what a reader believes. */
function times(odds) {
  if (odds === null) return "infinitely many times";
  const found = Math.exp(odds);
  return found > 1e6 ? "over a million times" : `${found < 10 ? found.toFixed(1) : number(Math.round(found))} times`;
}

async function correct(place, label) {
  const items = [...byId("suspicious").children], index = items.findIndex(each => each.dataset.place === String(place));
  const found = await trying(() => teach("answer", { place, label }));
  if (!found) return;
  announce(`Corrected to ${spelled(label)}.`);
  await load();
  if (index >= 0) focusCase(index);
}

function focusCase(index) {
  const items = byId("suspicious").querySelectorAll("[data-place]");
  (items[Math.max(0, Math.min(index, items.length - 1))] ?? byId("main")).focus();
}

function currentCase() {
  return [...byId("suspicious").children].indexOf(document.activeElement.closest("#suspicious > li"));
}

function correctCurrent() {
  const item = byId("suspicious").children[Math.max(0, currentCase())];
  item?.querySelector(".correct")?.click();
}

function fill(element, cases, none) {
  put(element, cases.length ? cases : make("li", { class: "faint" }, none));
}

function copies({ places, text, labels }) {
  const kinds = [...new Set(labels)];
  const choices = kinds.map(label => button(make("span", {}, "All ", named(label)), () => unify(places, labels, label)));
  const counts = kinds.map(label => `${labels.filter(each => each === label).length} × ${spelled(label)}`).join(", ");
  return make("li", {}, make("p", {}, excerpt(text)), make("p", { class: "faint", dir: "auto" }, counts), make("p", { class: "tools" }, choices));
}

async function unify(places, labels, label) {
  await trying(async () => {
    for (const [index, place] of places.entries()) if (labels[index] !== label) await teach("answer", { place, label });
    announce(`All copies are ${spelled(label)} now.`);
  });
  await load();
}

// ---- figures --------------------------------------------------------------------------------------------------------

function confusion({ labels, counts }) {
  const most = Math.max(1, ...counts.flat());
  const cell = (count, row, column) => {
    const found = make("td", { class: `n ${count ? (row === column ? "for" : "against") : "faint"}` }, number(count));
    found.style.setProperty("--w", (count / most).toFixed(2));
    return found;
  };
  const heads = [make("span", { class: "faint" }, "labeled ↓ verdict →"), ...labels.map(label => ({ words: named(label), class: "n" }))];
  table(byId("confusion"), heads, counts.map((row, index) => [named(labels[index]), ...row.map((count, column) => cell(count, index, column))]));
}

function bins(found) {
  const rows = found.map(each => [`${percent(each.from)} to ${percent(each.to)}`, number(each.documents), each.documents ? percent(each.mean) : "–", each.documents ? percent(each.share) : "–"]);
  table(byId("bins"), ["Probability", "Texts", "On average", "Right"], rows);
}

async function load() {
  const found = await trying(() => get("/v1/labeling/check"));
  if (!found) return;
  put(byId("accuracy"), "Accuracy: ", figures.accuracy(found.accuracy), " ", make("span", { class: "faint" }, figures.sampled(found.accuracy)));
  const isThere = found.confusion.labels.length > 0;
  byId("empty").hidden = isThere;
  byId("checks").hidden = !isThere;
  if (!isThere) return;
  fill(byId("suspicious"), found.suspicious.slice(0, MOST).map(oneCase), "Nothing is suspicious.");
  fill(byId("copies"), found.contradictions.map(copies), "No copies have different labels.");
  fill(byId("mistakes"), found.mistakes.slice(0, MOST).map(mistake), "The model is right about every labeled text.");
  confusion(found.confusion);
  bins(found.calibration);
  put(byId("calibration"), calibration(found.calibration.filter(each => each.documents)));
}

const soon = later(300, load);
let digest = null;

keys({
  c: correctCurrent,
  j: () => focusCase(currentCase() + 1),
  k: () => focusCase(currentCase() - 1),
  u: () => undo(),
  "Control+z": () => undo(),
});
follow((found, { own = false } = {}) => {
  if (digest === null) load();
  else if (digest !== found.digest && !own) soon();
  digest = found.digest;
});
listen();
