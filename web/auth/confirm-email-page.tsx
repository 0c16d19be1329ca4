import { data, redirect } from "react-router";

import { ApiError, codeOf, messageOf, unwrap } from "../lib/api.ts";
import { flashCookie } from "../lib/flash.ts";
import { apiContext } from "../lib/server-context.ts";
import { Logo } from "../site/logo.tsx";
import { pageMeta } from "../site/page-meta.ts";
import { fetchVisitorUser } from "../site/visitor.ts";
import { Alert } from "../ui/alert.tsx";
import type { Route } from "./+types/confirm-email-page.ts";
import { getHomePath, worksForBusiness } from "../lib/home-path.ts";

/** The URL is secret, so do not cache this page or send other sites a referrer. */
export function headers() {
  return { "Cache-Control": "no-store", "Referrer-Policy": "same-origin" };
}

/** Checks the link without using it up, because mail scanners open it too. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const { api } = context.get(apiContext);
  const user = await fetchVisitorUser(context);
  const home = user && (worksForBusiness(user) ? "/settings" : getHomePath(user));
  try {
    const link = await unwrap(api.auth["email-link"].$get({ query: { token: params.token } }));
    return { link, home };
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error;
    return data({ link: null, home }, { status: error.status });
  }
}

/** Confirms the address. The form has no fields, because the link contains everything. */
export async function action({ params, context }: Route.ActionArgs) {
  try {
    const json = { token: params.token };
    await unwrap(context.get(apiContext).api.auth["confirm-email"].$post({ json }));
  } catch (error) {
    // The loader checks the link again and shows its state.
    if (codeOf(error) === "link_ended") return data({ failure: null }, { status: 410 });
    const failure = messageOf(error, "We couldn't confirm your email. Please try again.");
    return data({ failure }, { status: error instanceof ApiError ? error.status : 500 });
  }
  const user = await fetchVisitorUser(context);
  const next = user && worksForBusiness(user) ? "/settings" : "/login";
  return redirect(next, { status: 303, headers: { "Set-Cookie": flashCookie("email-confirmed") } });
}

export function meta() {
  return pageMeta({ title: "Confirm your email", description: "Confirm your email." });
}

export default function ConfirmEmailPage({ loaderData, actionData }: Route.ComponentProps) {
  const { link, home } = loaderData;
  return (
    <section className="sheet sheet--small" aria-labelledby="confirm-title">
      <Logo />
      <h1 id="confirm-title">{link ? "Confirm your email" : "This link no longer works"}</h1>
      {link ? <Confirm link={link} failure={actionData?.failure ?? null} /> : <Ended home={home} />}
    </section>
  );
}

function Confirm({
  link,
  failure,
}: {
  link: { firstName: string; username: string; email: string };
  failure: string | null;
}) {
  return (
    <>
      {failure && <Alert>{failure}</Alert>}
      <p>
        <strong className="sheet__address">{link.email}</strong> will be the email on {link.firstName}'s
        account, username <strong className="sheet__address">{link.username}</strong>.
      </p>
      <p>
        Is that you? Once it's confirmed, you can sign in with this email too, and use it to reset your
        password.
      </p>
      <form className="form" method="post">
        <button className="button button--main" type="submit">
          Confirm this email
        </button>
      </form>
      <p>Not your account? Just close this page and nothing will happen.</p>
    </>
  );
}

/** Shows that the link was used, has expired, or belongs to a replaced address. */
function Ended({ home }: { home: string | null }) {
  return (
    <>
      <p>
        If you've already confirmed your email, you're all set. Each link works once, for up to 24 hours, and
        stops working when we send a newer one.
      </p>
      <p>Still waiting? Sign in with your username, open Settings and send the link again.</p>
      <p className="actions">
        <a className="button button--main" href={home ?? "/login"}>
          {home === "/settings" ? "Open Settings" : home ? "Keep going" : "Sign in"}
        </a>
      </p>
    </>
  );
}
