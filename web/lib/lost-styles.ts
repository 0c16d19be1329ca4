/**
 * Style sheets of late parts that failed to load. Vite requests each of them only once per page, even after a failure
 * (https://github.com/vitejs/vite/issues/13405). Browsers request the script again. Without this, a dialog first
 * requested offline would later open unstyled.
 */
let lost: HTMLLinkElement[] = [];

/** Records a failed style sheet. Load errors do not bubble, so this listens in the capture phase. */
export function noteLostStyles({ target }: Event): void {
  // Links rendered by the server belong to React and have no `crossorigin`.
  const link = target as HTMLLinkElement;
  if (link.rel === "stylesheet" && link.crossOrigin) lost.push(link);
}

/** Requests the failed style sheets again. @returns when each has loaded or failed again */
export function fetchLostStyles(): Promise<unknown> {
  const links = lost;
  lost = [];
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
