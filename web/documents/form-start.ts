/** Fetches our server's signed time of a form's start. Part of the documents' single small script. */

const SIGNS_STARTS = "/api/forms/start";

/** @returns an empty string where forms are not signed. @throws Error when the connection is lost */
async function fetchStart(): Promise<string> {
  const answer = await fetch(SIGNS_STARTS);
  return answer.status === 200 ? ((await answer.json()) as { startToken: string }).startToken : "";
}

/**
 * Requests a signed start at a form's first touch, and adds it to the form's data, however the form is sent. Without
 * a response the form is sent as it is.
 * @param island the wrapper, which may contain a request form
 * @param touches the events that count as a touch
 */
export function signFirstTouch(island: HTMLElement, touches: readonly string[]) {
  if (!island.querySelector("[name=startToken]")) return;
  let token = "";
  let isAsked = false;
  const ask = async () => {
    if (isAsked) return;
    isAsked = true;
    try {
      token = await fetchStart();
    } catch {
      // The connection dropped: the next touch tries again.
      isAsked = false;
    }
  };
  for (const touch of touches) island.addEventListener(touch, ask, { passive: true });
  if (island.matches(":focus-within")) void ask();
  island.addEventListener("formdata", ({ formData }) => {
    // A start that was signed for an earlier page of the same request takes precedence.
    if (token && !formData.get("startToken")) formData.set("startToken", token);
  });
  // The visitor returned to a page that was already sent: a new form is another request.
  addEventListener("pageshow", ({ persisted }) => {
    if (!persisted) return;
    token = "";
    isAsked = false;
  });
}
