/** The byte order mark. It makes Excel read a file as UTF-8. */
export const BOM = "\uFEFF";

/* The start of a spreadsheet formula, including full-width characters. */
const FORMULA = /^[\s\uFEFF]*[=+\-@＝＋－＠]|^[\t\r\n]/u;

/**
 * The start of a formula within a cell, after a character that is a cell separator in some locale. Excel splits a file
 * by its own locale, and reads quotes within a cell as text.
 */
const FORMULA_WITHIN = /([,;|\t\r\n][\s"\uFEFF]*)(?=[=+\-@＝＋－＠])/gu;

/** Digits that would lose their leading zero, such as a phone number. */
const LEADING_ZERO = /^0\d+$/;

/** Escapes text so that a spreadsheet does not run it as a formula or drop a leading zero. */
function escapeFormula(text: string): string {
  const safe = text.replaceAll(FORMULA_WITHIN, "$1'");
  return FORMULA.test(text) || LEADING_ZERO.test(text) ? `'${safe}` : safe;
}

/** Returns one CSV value (RFC 4180), always quoted. Spreadsheets read strings as text, never as formulas or numbers. */
export function csvCell(value: string | number | null): string {
  const text = typeof value === "string" ? escapeFormula(value) : String(value ?? "");
  return `"${text.replaceAll('"', '""')}"`;
}

export function csvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}
