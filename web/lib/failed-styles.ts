/**
 * Style sheets of late parts that failed to load. Vite requests each style sheet only once per page, even after a
 * failure (https://github.com/vitejs/vite/issues/13405). But the browser does request the script again. So a dialog
 * first opened offline would later open without styles.
 */
let failedLinks: HTMLLinkElement[] = [];

/** Records a failed style sheet. Load errors do not bubble, so this listens in the capture phase. */
export function recordFailedStyles({ target }: Event): void {
  // Links rendered by the server belong to React and have no `crossorigin`.
  const link = target as HTMLLinkElement;
  if (link.rel === "stylesheet" && link.crossOrigin) failedLinks.push(link);
}

/** Requests the failed style sheets again. Resolves when each one has loaded or failed again. */
export function refetchFailedStyles(): Promise<unknown> {
  const links = failedLinks;
  failedLinks = [];
  return Promise.all(
    links.map(
      (old) =>
        new Promise((done) => {
          const link = old.cloneNode() as HTMLLinkElement;
          for (const end of ["load", "error"]) link.addEventListener(end, done);
          old.replaceWith(link);
        }),
    ),
  );
}
