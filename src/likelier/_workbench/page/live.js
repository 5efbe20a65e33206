// The state of the labeling as the server has it. It arrives with every answer, and by a request that waits for news.

import { get, post, Problem } from "./api.js";
import { announce, complain, hush, trying } from "./shell.js";
import { spelled } from "./dom.js";

const PAUSE = 2000; // milliseconds until the server is asked again after a failure

let current = null;
const listeners = [];

export const state = () => current;

/** Calls with the state now and whenever it changes. */
export function follow(listener) {
  listeners.push(listener);
  if (current) listener(current);
}

/** Takes a state, unless a newer one is there. `own`: whether this window asked for the change. */
export function take(found, { own = false } = {}) {
  if (current && found.version < current.version) return;
  current = found;
  for (const listener of listeners) listener(current, { own });
}

/** Teaches something; the state after it. */
export async function teach(what, body) {
  const found = await post(`/v1/labeling/${what}`, body);
  take(found, { own: true });
  return found;
}

/** Takes the last lesson back, or one by its number. */
export function undo(number) {
  return trying(async () => {
    const before = current?.last;
    if (number === undefined && !before) return void announce("There is nothing to undo.");
    const found = await teach("undo", number === undefined ? {} : { number });
    announce(number === undefined ? `Undone: ${lesson(before)}.` : "Undone.");
    hush();
    return found;
  });
}

/** A lesson in words. */
export function lesson({ kind, text, label, word }) {
  const points = Array.from(text ?? "");
  const short = points.length > 60 ? `${points.slice(0, 60).join("").trimEnd()}…` : text;
  if (kind === "skip") return `skipped “${short}”`;
  if (kind === "word") return `word “${word ?? short}” for ${spelled(label)}`;
  if (kind === "bulk") return "accepted many at once";
  return `${spelled(label)} for “${short}”`;
}

/** Begins to listen for changes, those of other windows too. */
export async function listen() {
  let failures = 0;
  for (;;) {
    try {
      take(await get("/v1/labeling", current && { after: current.version }));
      if (failures > 1) hush();
      failures = 0;
    } catch (failure) {
      if (++failures > 1 || !(failure instanceof Problem)) complain(failure);
      await new Promise(resolve => setTimeout(resolve, PAUSE));
    }
  }
}
