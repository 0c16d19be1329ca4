import { data, redirect } from "react-router";

import { MAX_REQUEST_TOKEN_LENGTH } from "../../contract/request-links.ts";
import { ApiError, codeOf, messageOf, unwrap } from "../lib/api.ts";
import { apiContext } from "../lib/server-context.ts";
import { Logo } from "../site/logo.tsx";
import { pageMeta } from "../site/page-meta.ts";
import { Alert } from "../ui/alert.tsx";
import type { Route } from "./+types/open-requests-page.ts";
import { listCookie } from "./list-cookie.ts";

/** The URL is secret, so do not cache this page or send other sites a referrer. */
export function headers() {
  return { "Cache-Control": "no-store", "Referrer-Policy": "same-origin" };
}

/** Uses up the link and shows the list. Opening the page does not, because mail scanners open links too. */
export async function action({ request, params, context }: Route.ActionArgs) {
  try {
    const json = { token: params.token.slice(0, MAX_REQUEST_TOKEN_LENGTH) };
    const { token } = await unwrap(context.get(apiContext).api["my-requests"].open.$post({ json }));
    const cookie = listCookie(token, new URL(request.url).protocol === "https:");
    return redirect("/my-requests", { status: 303, headers: { "Set-Cookie": cookie } });
  } catch (error) {
    if (codeOf(error) === "link_ended") return data({ isEnded: true, failure: null }, 410);
    const failure = messageOf(error, "That didn’t work. Please try again.");
    return data({ isEnded: false, failure }, error instanceof ApiError ? error.status : 500);
  }
}

export function meta() {
  return pageMeta({
    title: "Open your quote requests",
    description: "The link from our email works once, and opens the list of your requests.",
  });
}

export default function OpenRequestsPage({ actionData }: Route.ComponentProps) {
  return (
    <section className="sheet sheet--small" aria-labelledby="open-title">
      <Logo />
      {actionData?.isEnded ? (
        <>
          <h1 id="open-title">This link no longer works</h1>
          <p>Each link works once, for up to an hour. We can send you another.</p>
          <p className="actions">
            <a className="button button--main" href="/my-requests">
              Get a New Link
            </a>
          </p>
        </>
      ) : (
        <>
          <h1 id="open-title">Your requests</h1>
          {actionData?.failure && <Alert>{actionData.failure}</Alert>}
          <p>See every request you’ve sent with the email address we sent this link to.</p>
          <form className="form" method="post">
            <button className="button button--main" type="submit">
              Show My Requests
            </button>
          </form>
        </>
      )}
    </section>
  );
}
