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
  const focused = document.activeElement?.id;
  put(byId("settings"), SETTINGS.map(each => field(each, settings)));
  if (focused) byId(focused)?.focus();
}

async function set(name, to) {
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
  labels = names;
  const before = byId("label").selectedIndex, other = byId("against").selectedIndex;
  put(byId("label"), names.map((label, index) => make("option", { value: index }, spelled(label))));
  put(byId("against"), make("option", { value: "" }, "all others"), names.map((label, index) => make("option", { value: index }, spelled(label))));
  byId("label").selectedIndex = Math.max(0, before);
  byId("against").selectedIndex = Math.max(0, other);
}

async function ratios() {
  const label = labels[byId("label").value], against = labels[byId("against").value];
  if (label === undefined || labels.length < 2) return void (byId("ratios-note").textContent = "Ratios need two labels with texts.");
  const found = await trying(() => get("/v1/ratios", { label, against, k: 100, search: byId("search").value.trim() }));
  if (!found) return;
  showRatios(found);
}

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
  await trying(() => remove("/v1/view"));
  await again("The settings are as they were at first.");
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
