import { data } from "react-router";

import { MAX_TOKEN_LENGTH } from "../../contract/email-stops.ts";
import { ApiError, messageOf, unwrap } from "../lib/api.ts";
import { apiContext, requestContext } from "../lib/server-context.ts";
import { Alert } from "../ui/alert.tsx";
import type { Route } from "./+types/stop-emails-page.ts";
import { Logo } from "./logo.tsx";
import { pageMeta } from "./page-meta.ts";
import { PhoneNumber } from "../ui/phone-number.tsx";

/** The URL is secret, so do not cache this page or send other sites a referrer. */
export function headers() {
  return { "Cache-Control": "no-store", "Referrer-Policy": "same-origin" };
}

/** Cuts tokens that are too long. They get the same response as any unknown token. */
const tokenOf = (params: { token: string }) => params.token.slice(0, MAX_TOKEN_LENGTH);

/** Loads the current state without changing it, because mail scanners open the link too. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const api = context.get(apiContext).api["email-stops"];
  const { contactPhone, contactEmail } = context.get(requestContext);
  const { isStopped } = await unwrap(api.$get({ query: { token: tokenOf(params) } }));
  return { isStopped, contactPhone, contactEmail };
}

/**
 * Stops or resumes emails about requests. Mail programs post their own form (RFC 8058) from servers that follow no
 * redirect. So every post that does not ask to resume unsubscribes.
 */
export async function action({ request, params, context }: Route.ActionArgs) {
  const isStopped = (await request.formData()).get("act") !== "allow";
  try {
    const json = { token: tokenOf(params), isStopped };
    await unwrap(context.get(apiContext).api["email-stops"].$post({ json }));
    return data({ isStopped, failure: null });
  } catch (error) {
    const failure = messageOf(error, "That didn't work. Please try again.");
    return data({ isStopped: null, failure }, error instanceof ApiError ? error.status : 500);
  }
}

export function meta() {
  return pageMeta({ title: "Stop emails", description: "Stop emails about quote requests." });
}

export default function StopEmailsPage({ loaderData, actionData }: Route.ComponentProps) {
  const { isStopped, contactPhone, contactEmail } = loaderData;
  const done = actionData?.isStopped ?? null;
  const contact = { phone: contactPhone, email: contactEmail };
  return (
    <section className="sheet sheet--small" aria-labelledby="stop-title">
      <Logo />
      {actionData?.failure && <Alert>{actionData.failure}</Alert>}
      {(done ?? isStopped) ? (
        <Stopped contact={contact} />
      ) : done === false ? (
        <Allowed />
      ) : (
        <StopForm contact={contact} />
      )}
    </section>
  );
}

type Contact = { phone: string; email: string };

function ContactLinks({ contact: { phone, email } }: { contact: Contact }) {
  return (
    <>
      Call us on <PhoneNumber typed={phone} /> or email <a href={`mailto:${email}`}>{email}</a>.
    </>
  );
}

function StopForm({ contact }: { contact: Contact }) {
  return (
    <>
      <h1 id="stop-title">Stop emails about quote requests?</h1>
      <p>
        If you do, we'll no longer tell you when a request is in, when a provider takes it, or when it's
        withdrawn or no one takes it.
      </p>
      <p>If you have an account, you'll still get emails about it, such as password reset links.</p>
      <form className="form" method="post">
        <button className="button button--main" type="submit" name="act" value="stop">
          Stop these emails
        </button>
      </form>
      <p>
        Your request stays open. Want to withdraw it? <ContactLinks contact={contact} />
      </p>
    </>
  );
}

function Stopped({ contact }: { contact: Contact }) {
  return (
    <>
      <h1 id="stop-title">We've stopped these emails</h1>
      <p>We won't send any more emails about quote requests to the address that got this link.</p>
      <p>
        Still getting them? Part of the link may have been cut off, so open it from the email again. Still no
        luck? <ContactLinks contact={contact} />
      </p>
      <form className="form" method="post">
        <button className="button button--quiet" type="submit" name="act" value="allow">
          Start them again
        </button>
      </form>
    </>
  );
}

function Allowed() {
  return (
    <>
      <h1 id="stop-title">You'll get these emails again</h1>
      <p>We'll send emails about quote requests to the address that got this link, as before.</p>
      <form className="form" method="post">
        <button className="button button--quiet" type="submit" name="act" value="stop">
          Stop these emails
        </button>
      </form>
    </>
  );
}
