// The one way to the server: JSON there and back, its problems as errors, and a token where it asks for one.

const TOKEN = "likelier-token";
let asking = null; // one question for a token at a time, however many requests wait for it

export class Problem extends Error {
  constructor({ message, hint = "", code = "", status = 0 }) {
    super(hint ? `${message}. ${capital(hint)}.` : message);
    Object.assign(this, { code, status });
  }
}

export class Unreachable extends Problem {
  constructor() {
    super({ message: "The server cannot be reached. Is it still running?" });
  }
}

const capital = text => text.charAt(0).toUpperCase() + text.slice(1);

export const get = (path, parameters, options) => json(address(path, parameters), options);
export const post = (path, body, options) => changing(path, JSON.stringify(body ?? {}), "application/json", options);
export const patch = (path, body) => changing(path, JSON.stringify(body), "application/json", { method: "PATCH" });
export const remove = path => changing(path, null, null, { method: "DELETE" });
export const send = (path, parameters, file) => changing(address(path, parameters), file, "application/octet-stream");

/** An address with its parameters; those without a value are left out. */
export function address(path, parameters) {
  const given = Object.entries(parameters ?? {}).filter(([, value]) => value !== undefined && value !== null && value !== "");
  return given.length ? `${path}?${new URLSearchParams(given)}` : path;
}

async function json(path, options) {
  const answer = await ask(path, options);
  return answer.json();
}

/** A change. If the connection breaks, it is sent once more with the same key, so that it counts once. */
async function changing(path, body, media, { method = "POST", ...options } = {}) {
  const headers = { "Idempotency-Key": key(), ...(media && { "Content-Type": media }) };
  const given = { method, headers, body, ...options };
  try {
    return await json(path, given);
  } catch (failure) {
    if (!(failure instanceof Unreachable)) throw failure;
    return json(path, given);
  }
}

/** The response, if it is well. */
export async function ask(path, { headers = {}, ...options } = {}) {
  const token = sessionStorage.getItem(TOKEN);
  const sent = { ...headers, ...(token && { Authorization: `Bearer ${token}` }) };
  const answer = await fetch(path, { ...options, headers: sent, cache: "no-store" }).catch(unreachable);
  if (answer.ok) return answer;
  if (answer.status === 401) {
    await (asking ??= token_wanted().finally(() => (asking = null)));
    return ask(path, { headers, ...options });
  }
  throw new Problem(await problem(answer));
}

function unreachable(failure) {
  throw failure.name === "AbortError" ? failure : new Unreachable();
}

async function problem(answer) {
  try {
    return await answer.json();
  } catch {
    return { message: `The server answered ${answer.status}`, status: answer.status };
  }
}

function key() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, "0")).join("");
}

function token_wanted() {
  const dialog = document.getElementById("token"), field = document.getElementById("token-field");
  dialog.showModal();
  return new Promise((resolve, reject) => {
    dialog.addEventListener("close", () => reject(new Problem({ message: "No token was given" })), { once: true });
    document.getElementById("token-form").addEventListener("submit", event => {
      event.preventDefault();
      sessionStorage.setItem(TOKEN, field.value.trim());
      field.value = "";
      resolve();
      dialog.close();
    }, { once: true });
  });
}

/** Saves what an address answers as a file. */
export async function download(path, name, options) {
  const answer = await ask(path, options);
  save(await answer.blob(), name);
}

export function save(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
