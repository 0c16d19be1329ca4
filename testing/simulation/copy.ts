/** Copies data that passes between two parts. */

/**
 * Returns a copy like `structuredClone`, but faster for plain values. Passes the whole value to
 * `structuredClone` if it contains a cycle or a non-plain value.
 *
 * @throws DataCloneError for a value that cannot be copied
 */
export function copyOf<T>(value: T): T {
  const copy = plainCopy(value, 0);
  return copy === NOT_PLAIN ? structuredClone(value) : (copy as T);
}

const NOT_PLAIN = Symbol("not plain");
/** Deeper than any message: probably a cycle. */
const DEEPEST = 12;

function plainCopy(value: unknown, depth: number): unknown {
  if (typeof value === "function" || typeof value === "symbol" || depth > DEEPEST) return NOT_PLAIN;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const list: unknown[] = [];
    for (const item of value) {
      const copy = plainCopy(item, depth + 1);
      if (copy === NOT_PLAIN) return NOT_PLAIN;
      list.push(copy);
    }
    return list;
  }
  if (Object.getPrototypeOf(value) !== Object.prototype) return NOT_PLAIN;
  const object: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    const copy =
      key === "__proto__" ? NOT_PLAIN : plainCopy((value as Record<string, unknown>)[key], depth + 1);
    if (copy === NOT_PLAIN) return NOT_PLAIN;
    object[key] = copy;
  }
  return object;
}
