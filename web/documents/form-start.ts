/** Fetches a signed start time for a form. Part of the small script that all documents share. */

const START_TOKEN_PATH = "/api/forms/start";

/**
 * Fetches a signed start time.
 * @returns an empty string if the server does not sign forms
 * @throws Error when the connection fails
 */
async function fetchStartToken(): Promise<string> {
  const answer = await fetch(START_TOKEN_PATH);
  return answer.status === 200 ? ((await answer.json()) as { startToken: string }).startToken : "";
}

/**
 * Requests a signed start time when the visitor first touches a form. Adds it to the form's data, however the form is
 * sent. Without a response the form is sent without it.
 * @param island the wrapper, which may contain a request form
 * @param eventNames the events that count as a touch
 */
export function fetchTokenOnFirstInteraction(island: HTMLElement, eventNames: readonly string[]) {
  if (!island.querySelector("[name=startToken]")) return;
  let token = "";
  let isRequested = false;
  const requestToken = async () => {
    if (isRequested) return;
    isRequested = true;
    try {
      token = await fetchStartToken();
    } catch {
      // The connection failed: the next touch tries again.
      isRequested = false;
    }
  };
  for (const touch of eventNames) island.addEventListener(touch, requestToken, { passive: true });
  if (island.matches(":focus-within")) void requestToken();
  island.addEventListener("formdata", ({ formData }) => {
    // Prefer the start time from an earlier page of the same request.
    if (token && !formData.get("startToken")) formData.set("startToken", token);
  });
  // The visitor has come back to a page they already sent. This form is a new request.
  addEventListener("pageshow", ({ persisted }) => {
    if (!persisted) return;
    token = "";
    isRequested = false;
  });
}
