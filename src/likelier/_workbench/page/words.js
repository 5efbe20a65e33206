// Words: what the model goes by, under settings that can be switched.

import { address, ask, get, patch, remove } from "./api.js";
import { fragment } from "./colored.js";
import { byId, later, make, named, number, put, spelled, table } from "./dom.js";
import { follow, listen } from "./live.js";
import { announce, keys, trying } from "./shell.js";

const SETTINGS = [
  { name: "event", words: "Event model", choices: { multinomial: "multinomial: every occurrence", binary: "binary: once per text", bernoulli: "Bernoulli: absent words too", complement: "complement: the other labels" } },
  { name: "alpha", words: "Smoothing (alpha)", least: 0, step: 0.01 },
  { name: "prior", words: "Prior", choices: { fitted: "fitted", uniform: "uniform" } },
  { name: "unknown", words: "Unknown words", choices: { ignore: "ignore", zero: "zero", smooth: "smooth", grow: "grow", unk: "one entry" } },
  { name: "weighting", words: "Weighting", choices: { count: "count", once: "once", log: "log", "count-length": "count, by length", "once-length": "once, by length", "log-length": "log, by length" } },
  { name: "min_count", words: "Least count", least: 1, step: 1 },
  { name: "idf", words: "Inverse document frequency", flag: true },
];

const BEFORE = "likelier-settings";

// ---- settings -------------------------------------------------------------------------------------------------------

const value = (settings, name) => (name === "alpha" ? settings.smoothing.alpha : settings[name]);

function field({ name, words, choices, least, step, flag }, settings) {
  const now = value(settings, name), id = `setting-${name}`;
  const change = event => set(name, flag ? event.target.checked : choices ? event.target.value : Number(event.target.value));
  if (flag) return make("div", {}, make("label", { class: "switch" }, make("input", { type: "checkbox", id, checked: now, change }), ` ${words}`));
  const known = choices && typeof now === "string" ? choices : { "": "given", ...choices };
  const input = choices
    ? make("select", { id, change }, Object.entries(known).map(([each, shown]) => make("option", { value: each, selected: each === now }, shown)))
    : make("input", { id, type: "number", min: least, step, value: now ?? "", change, disabled: now === undefined });
  return make("div", {}, make("label", { for: id }, words), input);
}

async function showSettings() {
  const { settings } = await get("/v1/view");
  current = settings;
  byId("back").disabled = !before();
  const focused = document.activeElement?.id;
  put(byId("settings"), SETTINGS.map(each => field(each, settings)));
  if (focused) byId(focused)?.focus();
}

let current = null; // the settings as they are shown

const before = () => JSON.parse(sessionStorage.getItem(BEFORE));

/** Keeps the settings as they were before this tab changed any; one setting can bring others with it. */
function remember() {
  if (!before()) sessionStorage.setItem(BEFORE, JSON.stringify(current));
}

async function set(name, to) {
  remember();
  await trying(() => patch("/v1/view", { [name]: to }));
  await again(`${SETTINGS.find(each => each.name === name).words} is ${to} now.`);
}

async function again(words) {
  await trying(showSettings);
  await ratios();
  if (byId("derivation").childElementCount) await derive();
  byId("settings-said").textContent = words;
}

// ---- ratios ---------------------------------------------------------------------------------------------------------

let labels = [];

function showLabels(names) {
  if (names.join("\n") === labels.join("\n")) return;
  const before = byId("label").selectedIndex, other = byId("against").selectedIndex;
  labels = names;
  for (const select of [byId("label"), byId("against")]) {
    put(select, names.map((label, index) => make("option", { value: index }, spelled(label))));
  }
  byId("label").selectedIndex = Math.max(0, before);
  byId("against").selectedIndex = other < 0 ? names.length - 1 : other;
}

async function ratios() {
  const label = labels[byId("label").value], against = labels[byId("against").value];
  if (label === undefined || label === against) return void showRatios({ ratios: [] }, "Choose two labels.");
  const found = await trying(() => get("/v1/ratios", { label, against, k: 100, search: byId("search").value.trim() }));
  if (found) showRatios(found, found.ratios.length ? "" : "No such word.");
}

function showRatios({ label, against, ratios: found }, note) {
  byId("ratios-note").textContent = note;
  byId("ratios-box").hidden = !found.length;
  if (!found.length) return;
  const most = Math.max(...found.map(each => Math.abs(each.log_odds ?? 0)), 1e-9);
  const heads = ["Word", "How much likelier", ...[label, against].map(each => ({ words: ["in ", named(each)], class: "n" }))];
  table(byId("ratios"), heads, found.map(each => ratio(each, most, label, against)));
}

function ratio({ term, log_odds: odds, times }, most, label, against) {
  const isFor = odds === null || odds >= 0;
  const words = odds === null ? "only here" : `${factor(Math.exp(Math.abs(odds)))} for `;
  const cell = make("td", { class: isFor ? "rate for" : "rate against" }, words, odds === null ? "" : named(isFor ? label : against));
  cell.style.setProperty("--v", odds === null ? 1 : Math.abs(odds) / most);
  return [make("bdi", {}, term), cell, ...times.map(each => make("td", { class: "n" }, number(each)))];
}

const factor = value => `${value < 10 ? value.toFixed(2) : number(Math.round(value))} ×`;

const soon = later(150, ratios);

// ---- derivation -----------------------------------------------------------------------------------------------------

async function derive(event) {
  event?.preventDefault();
  const text = byId("derived").value.trim();
  if (!text) return;
  await trying(async () => {
    const answer = await ask(address("/v1/derivation", { text }), { headers: { Accept: "text/html" } });
    put(byId("derivation"), fragment(await answer.text()));
    announce("The derivation is below.");
  });
}

byId("asked").addEventListener("input", soon);
byId("asked").addEventListener("submit", event => event.preventDefault());
byId("settings").addEventListener("submit", event => event.preventDefault());
byId("reset").addEventListener("click", async () => {
  remember();
  await trying(() => remove("/v1/view"));
  await again("The settings are reset.");
});
byId("back").addEventListener("click", async () => {
  if (!(await trying(() => patch("/v1/view", before())))) return;
  sessionStorage.removeItem(BEFORE);
  await again("The settings are as they were before.");
});
byId("derive").addEventListener("submit", derive);
keys({ "/": () => byId("search").focus() });

let digest = null;
follow(found => {
  showLabels(found.labels);
  if (digest === found.digest) return;
  digest = found.digest;
  trying(showSettings);
  soon();
});
listen();
