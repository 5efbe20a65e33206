// Start: texts into the pool, names for the labels.

import { get, post, send } from "./api.js";
import { byId, make, named, number, put, several, table } from "./dom.js";
import { follow, listen, state, take, teach } from "./live.js";
import { announce, sending, tell, trying } from "./shell.js";
import { peek } from "./peek.js";

let chosen = null; // the file that waits for its column

// ---- texts ----------------------------------------------------------------------------------------------------------

async function choose(file) {
  if (!file) return;
  chosen = file;
  const found = await peek(file);
  byId("columns").hidden = false;
  byId("chosen").textContent = file.name;
  put(byId("names-of-columns"), found.columns.map(value => make("option", { value })));
  byId("column").value = "";
  table(byId("preview"), found.columns.map(words => make("bdi", {}, words)), found.rows.map(row => row.map(cell => make("bdi", {}, cell))));
  byId("preview-box").hidden = !found.rows.length;
  byId("column-use").focus();
}

async function addChosen() {
  const column = byId("column").value.trim(), encoding = byId("encoding").value.trim();
  const found = await trying(() => send("/v1/labeling/pool", { name: chosen.name, column, encoding }, chosen));
  if (!found) return;
  byId("columns").hidden = true;
  byId("file").value = "";
  added(found);
}

function added(found) {
  const column = found.column ? ` from the column “${found.column}”` : "";
  tell(`Added ${several(found.added, "text")}${column}.`);
  byId("name").focus();
}

async function paste(event) {
  event.preventDefault();
  const texts = byId("pasted").value.split("\n").map(each => each.trim()).filter(Boolean);
  if (!texts.length) return;
  const found = await sending(byId("pasted"), () => post("/v1/labeling/pool?name=pasted.txt", { texts }));
  if (found) added(found);
}

function drop(event) {
  event.preventDefault();
  byId("drop").classList.remove("over");
  choose(event.dataTransfer.files[0]);
}

// ---- labels ---------------------------------------------------------------------------------------------------------

async function name(event) {
  event.preventDefault();
  const label = byId("name").value.trim();
  if (!label) return void (isReady(state()) && byId("go").click());
  if (await sending(byId("name"), () => teach("labels", { label }))) announce(`Label ${label} added.`);
}

// ---- a model --------------------------------------------------------------------------------------------------------

async function begin(event) {
  const [file] = event.target.files;
  if (!file) return;
  const found = await trying(() => send("/v1/labeling/model", {}, file));
  event.target.value = "";
  if (!found) return;
  take(found, { own: true });
  tell(`The model brings ${several(found.labels.length, "label")}, and goes on learning.`);
}

let digest = null;

/** A model that has learned something is not replaced. */
async function offer(found) {
  if (digest === found.digest) return;
  digest = found.digest;
  const model = await trying(() => get("/v1/model"));
  byId("model-box").hidden = !model || model.documents > 0;
}

// ---- what is there --------------------------------------------------------------------------------------------------

const isReady = found => Boolean(found && found.progress.pool && found.labels.length > 1);

function show(found) {
  const { pool, labeled } = found.progress;
  byId("pool").textContent = pool ? `${several(pool, "text")} in the pool${labeled ? `, ${number(labeled)} labeled` : ""}` : "No texts yet";
  put(byId("names"), found.labels.map(label => make("li", {}, named(label), " ", make("span", { class: "faint" }, number(found.progress.by_label[label] ?? 0)))));
  const missing = [pool ? "" : "texts", found.labels.length > 1 ? "" : "two labels"].filter(Boolean).join(" and ");
  byId("missing").textContent = missing ? `Still missing: ${missing}.` : "";
  byId("go").classList.toggle("main", !missing);
  byId("go").textContent = labeled ? "Go on labeling" : "Start labeling";
}

let isFirst = true;

function first(found) {
  show(found);
  if (isFirst && found.progress.pool) byId(isReady(found) ? "go" : "name").focus();
  isFirst = false;
}

byId("file").addEventListener("change", event => choose(event.target.files[0]));
byId("column-use").addEventListener("click", addChosen);
byId("paste").addEventListener("submit", paste);
byId("sample").addEventListener("click", () => trying(async () => added(await post("/v1/labeling/sample"))));
byId("naming").addEventListener("submit", name);
byId("model").addEventListener("change", begin);
byId("drop").addEventListener("dragover", event => (event.preventDefault(), byId("drop").classList.add("over")));
byId("drop").addEventListener("dragleave", () => byId("drop").classList.remove("over"));
byId("drop").addEventListener("drop", drop);
follow(first);
follow(offer);
listen();
