/** A route's `handle`, which describes its document. */
export type DocumentHandle = {
  /** Hydrated as a whole. Every other page is a document. */
  app?: true;
  /** Uses a smaller style sheet than the full one: web/documents-lean.css or web/documents-suburb.css. */
  sheet?: "lean" | "suburb";
  /** Additional styles besides the full sheet, from the loader's data. */
  styles?: ((loaderData: unknown) => string) | undefined;
};
