/**
 * Style sheets of late parts that did not come. Vite asks for each of them once in a page's life, whether it comes or
 * not (https://github.com/vitejs/vite/issues/13405); browsers ask for the script again. Without this, a dialog whose
 * code was lost with the connection would open bare.
 */
let lost: HTMLLinkElement[] = [];

/** Hears of what the window could not load, while the event is on its way down. */
export function noteLostStyles({ target }: Event): void {
  // The links that the server has written are React's, and have no crossorigin.
  const link = target as HTMLLinkElement;
  if (link.rel === "stylesheet" && link.crossOrigin) lost.push(link);
}

/** Asks for them again. @returns when they have come, or have not come again */
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
