/** What a route's `handle` says of its document. */
export type DocumentHandle = {
  /** It is hydrated as a whole; every other page is a document. */
  app?: true;
  /** It needs less than the sheet of all: web/documents-lean.css or web/documents-suburb.css. */
  sheet?: "lean" | "suburb";
  /** What it needs besides the sheet of all; of its loader's data. */
  styles?: ((loaderData: unknown) => string) | undefined;
};
