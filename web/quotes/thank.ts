import { redirect } from "react-router";

import { sentCookie } from "./sent.ts";

/**
 * Redirects to a thank-you page after a form was posted before or without the script.
 * @param path the thank-you page
 * @param page the request that posted the form
 * @param sent the request sent to the API; `answer` is the API's response
 */
export function thank(path: string, page: Request, sent: object, answer: unknown): Response {
  const cookie = sentCookie(sent, answer, new URL(page.url).protocol === "https:");
  return redirect(path, { status: 303, ...(cookie && { headers: { "Set-Cookie": cookie } }) });
}
