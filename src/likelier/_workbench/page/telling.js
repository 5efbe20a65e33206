// The column of telling words: what each label is recognized by, and words that were taught.

import { byId, button, make, named, number, put, several, spelled } from "./dom.js";
import { teach } from "./live.js";
import { announce, sending, tell, trying } from "./shell.js";

let labels = [];

export function showWords(found) {
  if (labels.join("\n") !== found.labels.join("\n") || !byId("word-label").options.length) showChoice(found.labels);
  labels = found.labels;
  put(byId("telling"), labels.map(label => column(label, found)));
}

function showChoice(names) {
  const before = byId("word-label").selectedIndex;
  put(byId("word-label"), names.map((label, index) => make("option", { value: index }, spelled(label))));
  byId("word-label").selectedIndex = Math.max(0, Math.min(before, names.length - 1));
}

function column(label, found) {
  const taught = found.words.filter(each => each.label === label);
  const known = new Set(taught.map(each => each.word));
  const telling = (found.telling[label] ?? []).filter(each => !known.has(each.term));
  const count = make("span", { class: "faint" }, number(found.progress.by_label[label] ?? 0));
  return make("div", { class: "telling" },
    make("h3", {}, named(label), " ", count),
    make("ul", { class: "chips" }, taught.map(each => make("li", {}, taughtWord(each))), telling.map(each => make("li", {}, tellingWord(each, label)))));
}

function tellingWord({ term, times }, label) {
  const words = times === null ? "Only here" : times >= 1.05 ? `${times < 10 ? times.toFixed(1) : Math.round(times)} times as common here` : "Telling";
  return button(make("bdi", {}, term), () => teachWord(term, label), { class: "chip", title: `${words}. Press to teach it.` });
}

function taughtWord({ word, label }) {
  return button([make("bdi", {}, word), make("span", { "aria-hidden": "true" }, " ×")], () => takeBack(word, label), {
    class: "chip taught", "aria-label": `Take back the word ${word} for ${spelled(label)}`, title: "Taught. Press to take it back.",
  });
}

const teachWord = (word, label) => trying(() => taught(word, label));

async function taught(word, label) {
  const found = await teach("word", { word, label });
  const [{ weight } = {}] = found.words.filter(each => each.word === word && each.label === label);
  const counts = weight ? ` It counts as much as ${several(weight, "text")}.` : "";
  tell(`“${word}” now speaks for ${spelled(label)}.${counts}`);
  return found;
}

function takeBack(word, label) {
  return trying(async () => {
    await teach("word", { word, label, weight: 0 });
    announce(`${word} was taken back.`);
    byId("word").focus();
  });
}

byId("teach").addEventListener("submit", event => {
  event.preventDefault();
  const word = byId("word").value.trim(), label = labels[byId("word-label").selectedIndex];
  if (word && label !== undefined) sending(byId("word"), () => taught(word, label));
});

byId("text").addEventListener("mouseup", () => {
  const selected = String(getSelection()).trim();
  if (selected && selected.length <= 60 && !selected.includes("\n")) byId("word").value = selected;
});
