// Elements from values. Texts from outside become text nodes and never markup.

export const byId = name => document.getElementById(name);

/** An element: its attributes, of which functions are listeners, and what it contains. */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.flat().filter(each => each !== null && each !== undefined));
  return element;
}

/** Replaces what an element contains. */
export function put(element, ...children) {
  element.replaceChildren(...children.flat().filter(each => each !== null && each !== undefined));
  return element;
}

/** A name from outside that cannot turn the writing direction around it; a blank one in quotes. */
export const named = label => make("bdi", {}, spelled(label));

export function spelled(label) {
  if (label === null || label === undefined) return "no label";
  const text = String(label);
  return text.trim() ? text : `“${text}”`;
}

/** A button that does something. */
export const button = (words, press, attributes = {}) =>
  make("button", { type: "button", click: press, ...attributes }, words);

/** The beginning of a text, on its own direction. */
export function excerpt(text, most = 280) {
  const points = Array.from(text);
  const shown = points.length > most ? `${points.slice(0, most).join("").trimEnd()}…` : text;
  return make("span", { dir: "auto", class: "excerpt", title: points.length > most ? text : null }, shown);
}

export const number = value => Number(value).toLocaleString("en-US");

/** A share as a percentage on one line; 100 % and 0 % only where they are exact. */
export function percent(share, digits = 0) {
  const most = 100 - 10 ** -digits, least = 10 ** -digits;
  const value = share >= 1 ? 100 : share <= 0 ? 0 : Math.min(most, Math.max(least, 100 * share));
  return `${value.toFixed(digits)}\u00a0%`;
}

export const several = (count, one, many = `${one}s`) => `${number(count)} ${count === 1 ? one : many}`;

/** Waits until nothing has happened for a while. */
export function later(milliseconds, call) {
  let timer = 0;
  return (...given) => {
    clearTimeout(timer);
    timer = setTimeout(() => call(...given), milliseconds);
  };
}

/** Rows of cells as a table; the first cell of a row names it. */
export function table(element, heads, rows) {
  const head = make("tr", {}, heads.map(each => make("th", { scope: "col", class: each.words ? each.class : null }, each.words ?? each)));
  const body = rows.map(([first, ...cells]) =>
    make("tr", {}, make("th", { scope: "row" }, first), cells.map(each => (each instanceof HTMLTableCellElement ? each : make("td", {}, each)))));
  return put(element, make("thead", {}, head), make("tbody", {}, body));
}
