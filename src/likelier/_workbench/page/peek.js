// A look at the beginning of a file, to offer its columns. The server reads the file; this only shows what is in it.

const BEGINNING = 1 << 16; // bytes
const ROWS = 3;
const LONGEST = 80; // characters of a cell

/** Columns and first rows; none for files that are not tables of text. */
export async function peek(file) {
  const ending = file.name.toLowerCase().split(".").pop();
  const text = await file.slice(0, BEGINNING).text();
  const rows = ending === "jsonl" || ending === "ndjson" ? objects(text) : ending === "csv" || ending === "tsv" ? cells(text) : [];
  const [columns = [], ...others] = rows;
  return { columns, rows: others.filter(row => row.length === columns.length).slice(0, ROWS).map(row => row.map(short)) };
}

const short = cell => (cell.length > LONGEST ? `${cell.slice(0, LONGEST)}…` : cell);

function objects(text) {
  const found = text.split("\n").slice(0, ROWS + 1).flatMap(line => {
    try {
      const value = JSON.parse(line);
      return value && typeof value === "object" ? [value] : [];
    } catch {
      return [];
    }
  });
  const columns = [...new Set(found.flatMap(Object.keys))];
  return [columns, ...found.map(each => columns.map(name => String(each[name] ?? "")))];
}

function cells(text) {
  const first = text.slice(0, text.search(/[\r\n]|$/));
  const [delimiter] = [",", ";", "\t", "|"].sort((a, b) => first.split(b).length - first.split(a).length);
  const rows = [[""]];
  let quoted = false;
  for (const character of text.replace(/^\ufeff/, "").replaceAll("\r\n", "\n")) {
    const row = rows.at(-1);
    if (character === '"') quoted = !quoted;
    else if (character === delimiter && !quoted) row.push("");
    else if (character === "\n" && !quoted) {
      if (rows.length > ROWS) break;
      rows.push([""]);
    } else row[row.length - 1] += character;
  }
  return rows;
}
