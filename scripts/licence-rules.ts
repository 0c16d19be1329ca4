/**
 * Licences that we may ship. Permissive ones require only their notice. MPL-2.0 also requires the source of
 * changes to its own files.
 */
const ALLOWED_LICENCES = new Set([
  "0BSD",
  "Apache-2.0",
  "BlueOak-1.0.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "CC0-1.0",
  "ISC",
  "MIT",
  "MPL-2.0",
  "Unlicense",
]);

const INNERMOST = /\(([^()]*)\)/;

/**
 * Returns whether we may ship a package.
 *
 * @param licence an SPDX expression, such as "(MIT OR GPL-3.0)"
 */
export function isAllowed(licence: string | undefined): boolean {
  if (licence === undefined) return false;
  const inner = INNERMOST.exec(licence);
  // Evaluate the innermost brackets first and substitute the result.
  if (inner) return isAllowed(licence.replace(inner[0], isAllowed(inner[1]) ? "MIT" : "none"));
  return licence
    .split(" OR ")
    .some((choice) => choice.split(" AND ").every((one) => ALLOWED_LICENCES.has(one.trim())));
}
