/** Copies data that passes between two parts. */

/**
 * Returns a copy like `structuredClone`, but faster for plain values. Passes the whole value to
 * `structuredClone` if it contains a cycle or a non-plain value.
 *
 * @throws DataCloneError for a value that cannot be copied
 */
export function copyOf<T>(value: T): T {
  const copy = plainCopy(value, 0);
  return copy === UNCLONABLE ? structuredClone(value) : (copy as T);
}

const UNCLONABLE = Symbol("not plain");
/** Deeper than any message: probably a cycle. */
const MAX_DEPTH = 12;

function plainCopy(value: unknown, depth: number): unknown {
  if (typeof value === "function" || typeof value === "symbol" || depth > MAX_DEPTH) return UNCLONABLE;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const list: unknown[] = [];
    for (const item of value) {
      const copy = plainCopy(item, depth + 1);
      if (copy === UNCLONABLE) return UNCLONABLE;
      list.push(copy);
    }
    return list;
  }
  if (Object.getPrototypeOf(value) !== Object.prototype) return UNCLONABLE;
  const object: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    const copy =
      key === "__proto__" ? UNCLONABLE : plainCopy((value as Record<string, unknown>)[key], depth + 1);
    if (copy === UNCLONABLE) return UNCLONABLE;
    object[key] = copy;
  }
  return object;
}
