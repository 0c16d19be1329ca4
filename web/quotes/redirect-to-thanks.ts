import { redirect } from "react-router";

import { buildSentCookie } from "./sent-request.ts";

/**
 * Redirects to a thank-you page after a form was posted before or without the script.
 * @param path the thank-you page
 * @param formRequest the request that posted the form
 * @param sent the request sent to the API; `answer` is the API's response
 */
export function redirectToThanks(
  path: string,
  formRequest: Request,
  sent: object,
  answer: unknown,
): Response {
  const cookie = buildSentCookie(sent, answer, new URL(formRequest.url).protocol === "https:");
  return redirect(path, { status: 303, ...(cookie && { headers: { "Set-Cookie": cookie } }) });
}
