/** Our server's word about when somebody began with a form. Part of the documents' one small script. */

const SIGNS_STARTS = "/api/forms/start";

/** @returns nothing where forms are not signed. @throws Error when the connection is gone */
async function fetchStart(): Promise<string> {
  const answer = await fetch(SIGNS_STARTS);
  return answer.status === 200 ? ((await answer.json()) as { startToken: string }).startToken : "";
}

/**
 * Has a form's start signed with its first touch, and adds that to whatever the form is sent with: posted by
 * the browser itself or read by its island. Without an answer the form is sent as it is.
 * @param island the wrapper of a form that may be one for requests
 * @param touches what counts as touching it
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
      // A dropped connection: the next touch tries again.
      isAsked = false;
    }
  };
  for (const touch of touches) island.addEventListener(touch, ask, { passive: true });
  if (island.matches(":focus-within")) void ask();
  island.addEventListener("formdata", ({ formData }) => {
    // What was signed for an earlier page of the same request counts from there.
    if (token && !formData.get("startToken")) formData.set("startToken", token);
  });
  // Back on the page as it was left after sending: what comes next is another request.
  addEventListener("pageshow", ({ persisted }) => {
    if (!persisted) return;
    token = "";
    isAsked = false;
  });
}
