import { redirect } from "react-router";

import { sentCookie } from "./sent.ts";

/**
 * Leads to the page that says thank you, after a form was posted without its island.
 * @param path which one
 * @param page the request for the page whose form it was
 * @param sent what was sent to the API; `answer` what the API said
 */
export function thank(path: string, page: Request, sent: object, answer: unknown): Response {
  const cookie = sentCookie(sent, answer, new URL(page.url).protocol === "https:");
  return redirect(path, { status: 303, ...(cookie && { headers: { "Set-Cookie": cookie } }) });
}
