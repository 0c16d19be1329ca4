/** The sign at its beginning by which Excel reads a file as UTF-8. */
export const BOM = "\uFEFF";

/* What a spreadsheet takes for the beginning of a formula, wide letters of Japanese keyboards included. */
const FORMULA = /^[\s\uFEFF]*[=+\-@＝＋－＠]|^[\t\r\n]/u;

/**
 * The same further in, behind a sign by which some country separates cells: Excel splits a file as its
 * own country does, and reads quotes that stand in the middle of a cell as text.
 */
const FORMULA_WITHIN = /([,;|\t\r\n][\s"\uFEFF]*)(?=[=+\-@＝＋－＠])/gu;

/** Digits that would lose their first one, such as a phone's. */
const LEADING_NOUGHT = /^0\d+$/;

/** A text in which nothing is run and nothing is lost when a spreadsheet opens it. */
function harmless(text: string): string {
  const safe = text.replaceAll(FORMULA_WITHIN, "$1'");
  return FORMULA.test(text) || LEADING_NOUGHT.test(text) ? `'${safe}` : safe;
}

/** One value of a CSV file (RFC 4180), always quoted; what people typed is text, whatever it looks like. */
export function csvCell(value: string | number | null): string {
  const text = typeof value === "string" ? harmless(value) : String(value ?? "");
  return `"${text.replaceAll('"', '""')}"`;
}

/** One line of a CSV file, with its end. */
export function csvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}
