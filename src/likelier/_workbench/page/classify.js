// Classify: a text while it is typed, a file, and all sure verdicts of the pool.

import { address, ask, post, save } from "./api.js";
import { explanation } from "./colored.js";
import { byId, later, make, named, percent, put, several } from "./dom.js";
import * as figures from "./figures.js";
import { follow, lesson, listen, teach, undo } from "./live.js";
import { keys, tell, trying } from "./shell.js";

// ---- one text -------------------------------------------------------------------------------------------------------

let asking = null;

async function classify() {
  const text = byId("typed").value;
  asking?.abort();
  asking = new AbortController();
  const { signal } = asking;
  byId("why").hidden = !text.trim();
  if (!text.trim()) return void (put(byId("verdict")), put(byId("chances")));
  await trying(async () => {
    show(await post("/v1/classify", { text, top: 9 }, { signal }));
    if (byId("why").open) put(byId("explanation"), await explanation(text, { signal }));
  });
}

function show({ label, probability, probabilities, reason }) {
  if (label === null) put(byId("verdict"), `No label: ${reason ?? "nothing is known of these words"}.`);
  else put(byId("verdict"), make("strong", {}, named(label)), ` ${percent(probability, 1)}`);
  put(byId("chances"), Object.entries(probabilities).map(([name, share]) => {
    const bar = make("div", { class: "chance" }, make("bdi", {}, name), make("i", { "aria-hidden": "true" }), make("span", {}, percent(share, 1)));
    bar.style.setProperty("--v", share);
    return bar;
  }));
}

// ---- a file ---------------------------------------------------------------------------------------------------------

async function classifyFile(event) {
  event.preventDefault();
  const [file] = byId("file").files, column = byId("column").value.trim();
  byId("file-said").textContent = "Classifying…";
  const done = await trying(async () => {
    const headers = { "Content-Type": "application/octet-stream" };
    const answer = await ask(address("/v1/labeling/file", { name: file.name, column }), { method: "POST", headers, body: file });
    const name = file.name.replace(/(\.[^.]*)?$/, ending => `-labeled${ending}`);
    save(await answer.blob(), name);
    return name;
  });
  byId("file-said").textContent = done ? `Saved as ${done}.` : "";
}

// ---- all sure ones --------------------------------------------------------------------------------------------------

const threshold = () => Number(byId("threshold").value) / 100;
let counted = 0;

async function count() {
  const mine = ++counted;
  byId("threshold-shown").textContent = percent(threshold());
  const found = await trying(() => post("/v1/labeling/accept", { threshold: threshold(), only_count: true }));
  if (!found || mine !== counted) return;
  byId("count").textContent = found.accepted ? `${several(found.accepted, "text")} would get a label.` : "No verdict is that sure.";
  put(byId("sure"), found.accepted ? figures.sure(found.sure) : "");
  byId("accept").disabled = !found.accepted;
}

async function accept(event) {
  event.preventDefault();
  const found = await trying(() => teach("accept", { threshold: threshold() }));
  if (found) tell(`${several(found.accepted, "text")} got a label. Press U to take all of it back.`);
}

const soon = later(120, classify), countSoon = later(200, count);

byId("typed").addEventListener("input", soon);
byId("why").addEventListener("toggle", classify);
byId("file-form").addEventListener("submit", classifyFile);
byId("threshold").addEventListener("input", () => {
  byId("threshold-shown").textContent = percent(threshold());
  countSoon();
});
byId("accepting").addEventListener("submit", accept);
byId("undo").addEventListener("click", () => undo());
keys({ "/": () => byId("typed").focus(), u: () => undo(), "Control+z": () => undo() });

let digest = null;
follow(found => {
  byId("undo").disabled = !found.last;
  byId("last").textContent = found.last ? `Undo takes back: ${lesson(found.last)}` : "";
  if (digest === found.digest) return;
  digest = found.digest;
  countSoon();
  if (byId("typed").value.trim()) soon();
});
listen();
