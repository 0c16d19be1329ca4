/** By which names shared pages about suburbs are taken out of the cache. */

/** On every shared answer that lists suburbs. */
export const SUBURBS_TAG = "suburbs";

/** On every shared answer that shows this suburb. */
export function suburbTag(slug: string): string {
  return `suburb-${slug}`;
}

/** On every shared answer that shows neighbours within a council. */
export function councilTag(council: string): string {
  return `council-${council.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")}`;
}
