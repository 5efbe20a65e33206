// What all screens have: keys and their switch, help, messages, and what a screen reader is told.

import { Problem } from "./api.js";
import { byId } from "./dom.js";

const SWITCH = "likelier-keys";
const FIELDS = "input:not([type=checkbox]):not([type=radio]):not([type=range]):not([type=file]), textarea, select";
const PRESSED = "button, a, summary, input, select, textarea"; // where Enter has a meaning of its own

/** Says something to screen readers. */
export function announce(words) {
  byId("live").textContent = words;
}

let hiding = 0;

/** Shows a message. Errors stay; others leave after a while. */
export function tell(words, { stays = false } = {}) {
  const box = byId("message");
  clearTimeout(hiding);
  box.querySelector("p").textContent = words;
  box.classList.toggle("bad", stays);
  box.hidden = false;
  if (!stays) hiding = setTimeout(hush, 8000);
}

export function hush() {
  byId("message").hidden = true;
}

/** Runs something that may fail, and shows why it did. */
export async function trying(call) {
  try {
    return await call();
  } catch (failure) {
    if (failure.name !== "AbortError") complain(failure);
    return undefined;
  }
}

/** Shows what went wrong; an error of these scripts also goes to the console. */
export function complain(failure, words = "") {
  if (!(failure instanceof Problem)) console.error(failure);
  tell(`${words}${failure.message}`, { stays: true });
}

/** Sends what a field holds and empties it at once, so that typing can go on; if it is refused, the words come back. */
export async function sending(field, call) {
  const words = field.value;
  field.value = "";
  const found = await trying(call);
  if (found === undefined && !field.value) field.value = words;
  return found;
}

// ---- keys -----------------------------------------------------------------------------------------------------------

let actions = {};

/** What keys do on this screen: the key in lower case, or "Control+z". */
export function keys(given) {
  actions = given;
}

export const keysAreOn = () => localStorage.getItem(SWITCH) !== "off";

/** The key by its meaning, also on keyboards whose letters are not Latin or whose digits need Shift. */
function pressed(event) {
  if (event.key === "Enter" || event.key === "Escape") return event.key;
  if (!event.shiftKey && /^(Digit|Numpad)[1-9]$/.test(event.code)) return event.code.at(-1);
  if (event.key.length === 1 && event.key.charCodeAt(0) > 127 && event.code.startsWith("Key")) {
    return event.code.at(-1).toLowerCase();
  }
  return event.key.toLowerCase();
}

function onKey(event) {
  const key = pressed(event), target = event.target;
  if (target.closest("dialog[open]") || event.isComposing) return;
  if (key === "Escape" && target.matches(FIELDS)) return void (target.blur(), byId("main").focus({ preventScroll: true }));
  if (target.matches(FIELDS) || event.altKey || event.metaKey || !keysAreOn()) return;
  if (key === "Enter" && target.closest(PRESSED)) return;
  const action = key === "?" ? openHelp : actions[event.ctrlKey ? `Control+${key}` : key];
  if (!action || event.repeat) return;
  event.preventDefault();
  action(event);
}

function openHelp() {
  byId("help").showModal();
}

document.addEventListener("keydown", onKey);
byId("help-open").addEventListener("click", openHelp);
byId("message-close").addEventListener("click", hush);
byId("keys-on").checked = keysAreOn();
document.documentElement.classList.toggle("keyless", !keysAreOn());
byId("keys-on").addEventListener("change", event => {
  localStorage.setItem(SWITCH, event.target.checked ? "on" : "off");
  document.documentElement.classList.toggle("keyless", !event.target.checked);
  announce(event.target.checked ? "Keys are on." : "Keys are off.");
});
