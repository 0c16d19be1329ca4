import { data, redirect } from "react-router";

import { serviceName } from "../../contract/catalogue.ts";
import { suggestEmail } from "../../contract/email-typos.ts";
import { type ListedRequest, requestListSchema } from "../../contract/my-requests.ts";
import { joinServices } from "../../contract/service-list.ts";
import { ApiError, codeOf, messageOf, unwrap } from "../lib/api.ts";
import { checkForm } from "../lib/check-form.ts";
import { formatDate } from "../lib/format-time.ts";
import { apiContext, requestContext } from "../lib/server-context.ts";
import { Logo } from "../site/logo.tsx";
import { pageMeta } from "../site/page-meta.ts";
import { fetchVisitorUser } from "../site/visitor.ts";
import { Alert } from "../ui/alert.tsx";
import { TextField } from "../ui/field.tsx";
import { Icon } from "../ui/icon.tsx";
import type { Route } from "./+types/my-requests-page.ts";
import { Questions } from "./questions.tsx";
import { readListToken } from "./list-cookie.ts";

/** The list is private, so do not cache this page. */
export function headers() {
  return { "Cache-Control": "no-store", "Referrer-Policy": "same-origin" };
}

/**
 * Loads the list of an opened link or of a signed-in customer; null for other visitors, who ask for a link. Only a
 * customer can delete an account here.
 */
export async function loader({ request, context }: Route.LoaderArgs) {
  const { sendsEmail, contactPhone } = context.get(requestContext);
  const query = { token: readListToken(request.headers.get("Cookie")) };
  const { requests } = await unwrap(context.get(apiContext).api["my-requests"].$get({ query }));
  const user = await fetchVisitorUser(context);
  return { requests, sendsEmail, contactPhone, isCustomer: user?.userType === "customer" };
}

/** Opens a request of the list, asks for a link, or deletes a customer's account. The response does not reveal whether an address has requests. */
export async function action({ request, context }: Route.ActionArgs) {
  const form = await request.formData();
  const { user, "my-requests": api } = context.get(apiContext).api;
  const leadId = form.get("leadId");
  const password = form.get("password");
  if (typeof password === "string") {
    try {
      await unwrap(user.closure.$post({ json: { password } }));
      return redirect("/login?closed=customer", 303);
    } catch (error) {
      const closing = describeClosing(error);
      const status = error instanceof ApiError ? error.status : 500;
      return data({ isAsked: false, failure: null, email: "", closing }, status);
    }
  }
  const email = String(form.get("email") ?? "");
  try {
    if (typeof leadId === "string") {
      const json = { token: readListToken(request.headers.get("Cookie")), leadId };
      const { token } = await unwrap(api["request-links"].$post({ json }));
      return redirect(`/request/${token}`, 303);
    }
    const checked = checkForm(requestListSchema, { email });
    if (checked.errors) return data({ isAsked: false, failure: checked.errors.email ?? null, email }, 400);
    await unwrap(api.links.$post({ json: checked.values }));
    return data({ isAsked: true, failure: null, email });
  } catch (error) {
    const failure = messageOf(error, "That didn’t work. Please try again.");
    return data({ isAsked: false, failure, email }, error instanceof ApiError ? error.status : 500);
  }
}

function describeClosing(error: unknown): string {
  if (codeOf(error) === "passkey_needed")
    return "Your account has a passkey. Sign out, sign back in with the passkey, then delete your account.";
  // Two taps send the form twice, and the second response is the one that shows.
  if (codeOf(error) === "unauthenticated")
    return "You’re signed out. If you have just deleted your account, that’s why. Otherwise sign in and try again.";
  return messageOf(error, "We couldn’t delete your account. Please try again.");
}

export function meta() {
  return pageMeta({
    title: "Find your quote requests",
    description:
      "Enter your email address to get a link to all your requests. See how each one is going, and change or withdraw it.",
  });
}

export default function MyRequestsPage({ loaderData, actionData }: Route.ComponentProps) {
  const { requests, sendsEmail, contactPhone, isCustomer } = loaderData;
  const { isAsked = false, failure = null, email = "", closing = null } = { closing: null, ...actionData };
  const suggestion = isAsked ? suggestEmail(email) : null;
  return (
    <section className="sheet sheet--small" aria-labelledby="list-title">
      <Logo />
      <h1 id="list-title">{isAsked ? "Check your email" : "Your requests"}</h1>
      {isAsked ? (
        <>
          <p>If you’ve sent us requests with that address, a link to them is on its way. It works once.</p>
          {suggestion && (
            <form method="post">
              <p>
                Did you mean{" "}
                <button className="link-button" name="email" value={suggestion}>
                  {suggestion}
                </button>
                ?
              </p>
            </form>
          )}
          <p>Nothing after a few minutes? Check your junk folder, or the spelling of your address.</p>
        </>
      ) : (
        <>
          {failure && <Alert>{failure}</Alert>}
          {requests ? (
            <>
              <RequestList requests={requests} />
              {sendsEmail && (
                <details className="fold" open={email !== ""}>
                  <summary>
                    Looking for another request? <Icon name="chevron" />
                  </summary>
                  <div className="fold__fields">
                    <AskForLink email={email} />
                  </div>
                </details>
              )}
            </>
          ) : sendsEmail ? (
            <AskForLink email={email} />
          ) : (
            <p>Call us and we’ll tell you how your requests are going.</p>
          )}
          {isCustomer ? <DeleteAccount failure={closing} /> : closing && <Alert>{closing}</Alert>}
        </>
      )}
      <Questions phone={contactPhone} />
    </section>
  );
}

const STATUSES: Readonly<Record<ListedRequest["status"], string>> = {
  available: "Waiting for a provider",
  sold: "A provider has it",
  done: "The job is done",
  expired: "No provider took it",
};

function RequestList({ requests }: { requests: readonly ListedRequest[] }) {
  if (requests.length === 0) return <p>You haven’t sent us any requests yet.</p>;
  return (
    <ul className="request-list">
      {requests.map(({ leadId, services, place, createdAt, status, reference }) => {
        const job = joinServices(services.map(serviceName));
        return (
          <li key={leadId}>
            <h2>{place ? `${job} in ${place}` : job}</h2>
            <p>{STATUSES[status]}</p>
            <p className="request__note">
              Sent {formatDate(createdAt)}
              {reference && `, reference ${reference}`}
            </p>
            <form method="post">
              <button className="button button--quiet" name="leadId" value={leadId}>
                Open <span className="visually-hidden">{job}</span>
              </button>
            </form>
          </li>
        );
      })}
    </ul>
  );
}

/** @param failure why the account is not deleted; null before the customer asks for it */
function DeleteAccount({ failure }: { failure: string | null }) {
  return (
    <details className="fold" open={failure !== null}>
      <summary>
        Delete your account <Icon name="chevron" />
      </summary>
      <form className="form fold__fields" method="post">
        <p>
          We’ll delete your account, and the requests you sent while signed in: your name, number, email,
          address and photos, and everything else you wrote.
        </p>
        <p>
          The service, the suburb and the dates stay, without your name, because the law requires records of
          what providers buy. So do the stars of your reviews, because they describe the provider. A provider
          may have saved your number. We won’t delete requests you sent without signing in. Delete those on
          each request’s own page.
        </p>
        <p>
          Before you go,{" "}
          <a href="/api/my-requests/export.json" download>
            download your details and requests
          </a>
          .
        </p>
        <TextField
          name="password"
          type="password"
          label="Your password"
          autoComplete="current-password"
          required
          error={failure ?? undefined}
        />
        <button className="button button--danger" type="submit">
          Delete My Account
        </button>
      </form>
    </details>
  );
}

/** @param email what the visitor typed last */
function AskForLink({ email }: { email: string }) {
  return (
    <>
      <p>Enter the email address you gave us. We’ll send you a link to all requests you’ve sent with it.</p>
      <form className="form" method="post">
        <TextField
          name="email"
          type="email"
          label="Email"
          defaultValue={email}
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
          required
        />
        <button className="button button--main" type="submit">
          Send Me a Link
        </button>
      </form>
      <p>Didn’t give us an email address? Call us, and we’ll look up your requests.</p>
    </>
  );
}
