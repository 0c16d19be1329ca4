/** Cache tags that purge shared pages about suburbs and services. */

/** Tag of every shared response that lists suburbs. */
export const SUBURBS_TAG = "suburbs";

/** Returns the tag of every shared response that shows this suburb. */
export function suburbTag(slug: string): string {
  return `suburb-${slug}`;
}

/** Returns the tag of every shared response that shows neighbours within a council. */
export function councilTag(council: string): string {
  return `council-${council.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")}`;
}

/** Returns the tags of every shared response that shows a suburb: its own page, its neighbours' and the lists. */
export function tagsShowing({ slug, council }: { slug: string; council: string }): string[] {
  return [SUBURBS_TAG, suburbTag(slug), councilTag(council)];
}

/** Returns the tag of the share picture of a business's page. */
export function providerTag(slug: string): string {
  return `provider-${slug}`;
}

/** Tag of every shared response that shows photos of jobs. */
export const SHOWN_JOBS_TAG = "shown-jobs";

/** Returns the tags of every shared response that may link to a business. @param councils where it works */
export function tagsLinking(councils: readonly string[]): string[] {
  return [...councils.map(councilTag), SHOWN_JOBS_TAG];
}
