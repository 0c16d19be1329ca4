/** A document's settings, in its route's `handle`. */
export type DocumentHandle = {
  /** Whether React hydrates the whole page. All other pages are documents. */
  app?: true;
  /** Uses a smaller style sheet, web/documents-lean.css or web/documents-suburb.css, instead of the full one. */
  sheet?: "lean" | "suburb";
  /** Returns additional styles from the loader's data. */
  styles?: ((loaderData: unknown) => string) | undefined;
};
