/** Fetches a signed start time for a form. Part of the small script that all documents share. */

const SIGNS_STARTS = "/api/forms/start";

/**
 * Fetches a signed start time.
 * @returns an empty string if the server does not sign forms
 * @throws Error when the connection fails
 */
async function fetchStart(): Promise<string> {
  const answer = await fetch(SIGNS_STARTS);
  return answer.status === 200 ? ((await answer.json()) as { startToken: string }).startToken : "";
}

/**
 * Requests a signed start time when the visitor first touches a form. Adds it to the form's data, however the form is
 * sent. Without a response the form is sent without it.
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
      // The connection failed: the next touch tries again.
      isAsked = false;
    }
  };
  for (const touch of touches) island.addEventListener(touch, ask, { passive: true });
  if (island.matches(":focus-within")) void ask();
  island.addEventListener("formdata", ({ formData }) => {
    // Prefer the start time from an earlier page of the same request.
    if (token && !formData.get("startToken")) formData.set("startToken", token);
  });
  // The visitor has come back to a page they already sent. This form is a new request.
  addEventListener("pageshow", ({ persisted }) => {
    if (!persisted) return;
    token = "";
    isAsked = false;
  });
}
