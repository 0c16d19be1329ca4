import { data } from "react-router";

import type { CallAnswer } from "../../contract/call-clock.ts";
import { serviceName } from "../../contract/catalogue.ts";
import { formToObject } from "../../contract/forms.ts";
import {
  type ContactPreferenceAnswer,
  contactPreferenceSchema,
  type CustomerRequest,
  MAX_REQUEST_TOKEN_LENGTH,
  REQUEST_STEPS,
  type RequestStep,
  type WithdrawalAnswer,
} from "../../contract/request-links.ts";
import { joinServices } from "../../contract/service-list.ts";
import { OwnScript } from "../documents/document-script.tsx";
import { ApiError, messageOf, unwrap } from "../lib/api.ts";
import { formatDateTime } from "../lib/format-time.ts";
import { apiContext, requestContext } from "../lib/server-context.ts";
import { checkForm } from "../lib/check-form.ts";
import { Logo } from "../site/logo.tsx";
import { pageMeta } from "../site/page-meta.ts";
import { PhoneLink } from "../site/phone-link.tsx";
import { Alert } from "../ui/alert.tsx";
import { Icon } from "../ui/icon.tsx";
import { CONTACT_FAILED, CONTACT_INTENT, ContactPreferenceForm } from "./contact-form.tsx";
import { CALL_INTENT, DidTheyCall } from "./did-they-call.tsx";
import { Questions } from "./questions.tsx";
import { getQuoteLink } from "./quote-link.ts";
import type { Route } from "./+types/request-page.ts";

/**
 * The URL is secret, so do not cache this page or send other sites a referrer. With `no-referrer` browsers would post
 * the page's form with `Origin: null`, as if from another site.
 */
export function headers() {
  return { "Cache-Control": "no-store", "Referrer-Policy": "same-origin" };
}

/** Cuts tokens that are too long. They get the same response as any unknown token. */
const tokenOf = (params: { token: string }) => params.token.slice(0, MAX_REQUEST_TOKEN_LENGTH);

/** Loads the request without changing it, because mail scanners open the link too. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const { contactPhone } = context.get(requestContext);
  const api = context.get(apiContext).api.requests;
  const answer = await unwrap(api.$get({ query: { token: tokenOf(params) } }));
  return { ...answer, contactPhone };
}

/** Withdraws the request, or stores how the customer wants to be reached. */
export async function action({ request, params, context }: Route.ActionArgs) {
  const form = await request.formData();
  const api = context.get(apiContext).api.requests;
  const token = tokenOf(params);
  try {
    if (form.get("intent") === CONTACT_INTENT) {
      const preference = checkForm(contactPreferenceSchema, { ...formToObject(form), token });
      if (!preference.values) return data({ outcome: null, failure: CONTACT_FAILED }, 400);
      const { outcome } = await unwrap(api.contact.$post({ json: preference.values }));
      return data({ outcome, failure: null });
    }
    if (form.get("intent") === CALL_INTENT) {
      const answer = form.get("answer") as CallAnswer;
      await unwrap(api["call-answer"].$post({ json: { token, answer } }));
      return data({ outcome: null, failure: null });
    }
    const { outcome } = await unwrap(api.withdraw.$post({ json: { token } }));
    return data({ outcome, failure: null });
  } catch (error) {
    const failure = messageOf(error, "That didn't work. Please try again.");
    return data({ outcome: null, failure }, error instanceof ApiError ? error.status : 500);
  }
}

export function meta() {
  return pageMeta({ title: "Your request", description: "Follow your request for a free quote." });
}

export default function RequestPage({ loaderData, actionData }: Route.ComponentProps) {
  const { request, contactPhone } = loaderData;
  return (
    <section className="sheet sheet--small" aria-labelledby="request-title">
      <Logo />
      {actionData?.failure && <Alert>{actionData.failure}</Alert>}
      {request ? (
        <Progress request={request} outcome={actionData?.outcome ?? null} />
      ) : actionData?.outcome === "withdrawn" ? (
        <>
          <h1 id="request-title">Your request is off our list</h1>
          <p>Providers can’t see it any more.</p>
        </>
      ) : (
        <>
          <h1 id="request-title">There’s no request here</h1>
          <p>Part of the link may be missing, or the request was withdrawn.</p>
        </>
      )}
      <Questions phone={contactPhone} reference={request?.reference} />
      <p>
        <a href="/my-requests">See all your requests</a>
      </p>
    </section>
  );
}

type Outcome = WithdrawalAnswer["outcome"] | ContactPreferenceAnswer["outcome"];

const LABELS: Readonly<Record<RequestStep, string>> = {
  received: "We’ve got your request",
  listed: "Local providers can see the job",
  taken: "A provider has taken it",
  called: "They’ve called you",
  quoted: "They’ve sent you a quote",
  booked: "The job is booked",
  done: "The job is done",
};

function Progress({ request, outcome }: { request: CustomerRequest; outcome: Outcome | null }) {
  const { services, place, provider, isExpired, isWithdrawalPending, contact } = request;
  const job = joinServices(services.map(serviceName));
  const reached = new Map(request.steps.map(({ step, at }) => [step, at]));
  const steps = isExpired ? REQUEST_STEPS.filter((step) => reached.has(step)) : REQUEST_STEPS;
  return (
    <div className="request" data-request={JSON.stringify({ request })}>
      <OwnScript file="requests/follow-request.ts" />
      <h1 id="request-title">{place ? `${job} in ${place}` : job}</h1>
      {outcome === "called_off" && (
        <Alert>We’ve told your provider that you don’t need the job any more.</Alert>
      )}
      {isWithdrawalPending && (
        <Alert>
          A provider is paying for your request right now. If they don’t finish, we’ll withdraw it for you.
        </Alert>
      )}
      {provider && (
        <div className="request__provider">
          <h2>{provider.name}</h2>
          <p>They have your details and will call you. Only one provider at a time gets them.</p>
          {provider.phone && <PhoneLink phone={provider.phone} className="button" />}
        </div>
      )}
      {provider && request.call && <DidTheyCall call={request.call} name={provider.name} />}
      <ol className="request__steps">
        {steps.map((step) => (
          <li key={step} className={reached.has(step) ? "is-reached" : undefined}>
            <span aria-hidden="true">{reached.has(step) && <Icon name="check" size={18} />}</span>
            <span>{LABELS[step]}</span>
            <StepTime isReached={reached.has(step)} at={reached.get(step) ?? null} />
          </li>
        ))}
      </ol>
      {isExpired && (
        <p>
          No provider took the job in time, so we’ve taken it off our list. You can{" "}
          <a href={getQuoteLink(request)}>ask again</a>.
        </p>
      )}
      {!isExpired && !reached.has("done") && (
        <ContactPreferenceForm contact={contact} isSaved={outcome === "saved"} />
      )}
      {reached.has("called") && !reached.has("done") && (
        <p>
          Want to hear from another provider too? <a href={getQuoteLink(request)}>Ask someone else</a>.
        </p>
      )}
      {!provider && !isExpired && !isWithdrawalPending && <Withdrawal />}
    </div>
  );
}

function StepTime({ isReached, at }: { isReached: boolean; at: number | null }) {
  if (at !== null) return <time dateTime={new Date(at).toISOString()}>{formatDateTime(at)}</time>;
  return isReached ? null : <span className="request__note">Not yet</span>;
}

/** Asks before it withdraws, without a script. */
function Withdrawal() {
  return (
    <details>
      <summary className="button button--quiet">Withdraw my request</summary>
      <form method="post" className="form">
        <p>Providers won’t see it any more, and none of them gets your details. You can’t undo this.</p>
        <button className="button button--quiet" type="submit">
          Yes, Withdraw It
        </button>
      </form>
    </details>
  );
}
