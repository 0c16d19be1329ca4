import { data } from "react-router";

import type { CallAnswer } from "../../contract/call-clock.ts";
import { serviceName } from "../../contract/catalogue.ts";
import type { GuaranteeAnswer } from "../../contract/guarantee.ts";
import { formToObject } from "../../contract/forms.ts";
import {
  contactPreferenceSchema,
  type CustomerRequest,
  type RequestJob,
  MAX_REQUEST_TOKEN_LENGTH,
  REQUEST_STEPS,
  type RequestStep,
} from "../../contract/request-links.ts";
import { label } from "../../contract/lead-labels.ts";
import { isolate } from "../../contract/names.ts";
import { joinServices } from "../../contract/service-list.ts";
import { OwnScript } from "../documents/document-script.tsx";
import { ShownChecks } from "../checks/shown-checks.tsx";
import { ApiError, messageOf, unwrap } from "../lib/api.ts";
import { formatDateTime } from "../lib/format-time.ts";
import { apiContext, requestContext } from "../lib/server-context.ts";
import { checkForm } from "../lib/check-form.ts";
import { Logo } from "../site/logo.tsx";
import { resolveClaims } from "../site/claims.ts";
import { pageMeta } from "../site/page-meta.ts";
import { PhoneLink } from "../site/phone-link.tsx";
import { guaranteeText } from "../site/why-choose-us.tsx";
import { Alert } from "../ui/alert.tsx";
import { Icon } from "../ui/icon.tsx";
import { CONTACT_FAILED, CONTACT_INTENT, ContactPreferenceForm } from "./contact-form.tsx";
import { CALL_INTENT, DidTheyCall } from "./did-they-call.tsx";
import { GUARANTEE_INTENT, GuaranteeQuestions } from "./guarantee-questions.tsx";
import { Questions } from "./questions.tsx";
import { newsOf, type PostOutcome } from "./request-news.ts";
import { HIDDEN } from "./job-form.tsx";
import { getQuoteLink } from "./quote-link.ts";
import { NoRequest } from "./no-request.tsx";
import { canChangeJob } from "./can-change-job.ts";
import { act, ACT_INTENTS, ActAlert, type ActResult, CustomerActs } from "./customer-acts.tsx";
import type { TypedForm } from "./digits-field.tsx";
import { AskButton, FinalAct, isFinalAct, isUnconfirmed } from "./final-acts.tsx";
import { photosHandle } from "../photos/photos-file.ts";
import { actOnPhoto, PHOTO_INTENTS, RequestPhotos } from "./request-photos.tsx";
import type { Route } from "./+types/request-page.ts";

export const handle = photosHandle;

/**
 * The URL is secret, so do not cache this page or send other sites a referrer. With `no-referrer` browsers would post
 * the page's form with `Origin: null`, as if from another site.
 */
export function headers() {
  return { "Cache-Control": "no-store", "Referrer-Policy": "same-origin" };
}

/** Cuts tokens that are too long. They get the same response as any unknown token. */
const tokenOf = (params: { token: string }) => params.token.slice(0, MAX_REQUEST_TOKEN_LENGTH);

/** Isolates the providers' names for the sentences of the page. */
function isolateNames(request: CustomerRequest): CustomerRequest {
  const { provider, passedOn } = request;
  return {
    ...request,
    provider: provider && { ...provider, name: isolate(provider.name) },
    passedOn: passedOn && { by: passedOn.by && isolate(passedOn.by) },
  };
}

/** Loads the request without changing it, because mail scanners open the link too. */
export async function loader({ request: { url }, params, context }: Route.LoaderArgs) {
  const { contactPhone, showsSampleClaims } = context.get(requestContext);
  const claims = resolveClaims({}, showsSampleClaims);
  const api = context.get(apiContext).api.requests;
  const answer = await unwrap(api.$get({ query: { token: tokenOf(params) } }));
  return {
    request: answer.request && isolateNames(answer.request),
    contactPhone,
    guarantee: claims.guarantee && guaranteeText(claims),
    isJobSaved: new URL(url).searchParams.get("saved") === "job",
  };
}

/** Returns the result of a form that was saved. */
const done = (outcome: PostOutcome | null = null) => data({ outcome, failure: null, act: null, typed: null });

/** Does what the posted form asks. Its hidden field says what. A form of another release changes nothing. */
export async function action({ request, params, context }: Route.ActionArgs) {
  const form = await request.formData();
  const api = context.get(apiContext).api.requests;
  const token = tokenOf(params);
  const intent = form.get("intent");
  const typed = formToObject(form) as TypedForm;
  const again = (failure: string, status: number) =>
    data({ outcome: null, failure, act: null, typed }, { status });
  if (isUnconfirmed(typed)) return data({ outcome: null, failure: null, act: null, typed });
  try {
    if (ACT_INTENTS.some((name) => name === intent)) {
      const result = await act(api, form, token);
      const { outcome } = result;
      const status = outcome ? 200 : 400;
      return data({ outcome, failure: null, act: result, typed: outcome ? null : typed }, { status });
    }
    if (intent === CONTACT_INTENT) {
      const { contactMethod, contactTime } = typed;
      const wanted = { token, contactMethod: contactMethod || null, contactTime };
      const preference = checkForm(contactPreferenceSchema, wanted);
      if (!preference.values) return again(CONTACT_FAILED, 400);
      const { outcome } = await unwrap(api.contact.$post({ json: preference.values }));
      return done(outcome);
    }
    if (PHOTO_INTENTS.some((name) => name === intent)) {
      await actOnPhoto(context.get(apiContext).api.photos, form, token);
      return done();
    }
    if (intent === CALL_INTENT) {
      const answer = form.get("answer") as CallAnswer;
      await unwrap(api["call-answer"].$post({ json: { token, answer } }));
      return done();
    }
    if (intent === GUARANTEE_INTENT) {
      const answer = form.get("answer") as GuaranteeAnswer;
      await unwrap(api.guarantee.$post({ json: { token, answer } }));
      return done();
    }
    if (intent === "withdraw") {
      const { outcome } = await unwrap(api.withdraw.$post({ json: { token } }));
      return done(outcome);
    }
    return again("Please reload this page and try again.", 400);
  } catch (error) {
    const failure = messageOf(error, "That didn’t work. Please try again.");
    return again(failure, error instanceof ApiError ? error.status : 500);
  }
}

export function meta() {
  return pageMeta({ title: "Your request", description: "Follow your request for a free quote." });
}

export default function RequestPage({ loaderData, actionData, params }: Route.ComponentProps) {
  const { request, contactPhone, guarantee, isJobSaved } = loaderData;
  const typed = actionData?.typed ?? null;
  return (
    <section className="sheet sheet--small" aria-labelledby="request-title">
      <Logo />
      {actionData?.failure && <Alert>{actionData.failure}</Alert>}
      <ActAlert result={actionData?.act ?? null} />
      {isFinalAct(typed) && (request || typed.intent === "erase") ? (
        <FinalAct request={request} act={typed} errors={actionData?.act?.errors} token={params.token} />
      ) : request ? (
        <Progress
          request={request}
          token={params.token}
          guarantee={guarantee}
          outcome={actionData?.outcome ?? null}
          isJobSaved={isJobSaved && !actionData}
          act={actionData?.act ?? null}
          typed={typed}
        />
      ) : (
        <Closed outcome={actionData?.outcome ?? null} />
      )}
      <Questions phone={contactPhone} reference={request?.reference} />
      <p>
        <a href="/my-requests">See all your requests</a>
      </p>
    </section>
  );
}

/** Shows the result of a withdrawal or a deletion. Without one, says that there is no such request. */
function Closed({ outcome }: { outcome: PostOutcome | null }) {
  if (outcome === "withdrawn")
    return (
      <>
        <h1 id="request-title">Your request is off our list</h1>
        <p>
          Providers can’t see it any more. Changed your mind? <a href="/get-quote">Ask again</a>.
        </p>
        <AskButton intent="erase">Delete my data</AskButton>
      </>
    );
  if (outcome === "erased")
    return (
      <>
        <h1 id="request-title">We’ve deleted your data</h1>
        <p>This page is gone too.</p>
      </>
    );
  if (outcome === "waiting")
    return (
      <>
        <h1 id="request-title">We’ll delete your data soon</h1>
        <p>Part of our system isn’t responding right now. You don’t need to do anything else.</p>
      </>
    );
  if (outcome === "call_us")
    return (
      <>
        <h1 id="request-title">We haven’t deleted your data yet</h1>
        <p>You’re out of tries. Please call us, and we’ll delete it for you.</p>
      </>
    );
  // The link of a withdrawn request opens nothing else. An unknown one looks the same.
  return (
    <>
      <NoRequest />
      <AskButton intent="erase">Delete my data</AskButton>
    </>
  );
}

const PASSED_ON = "We’ve passed your request on";

const LABELS: Readonly<Record<RequestStep, string>> = {
  received: "We’ve got your request",
  listed: "We’ve shown the job to local providers",
  taken: "A provider has taken it",
  called: "They’ve called you",
  quoted: "They’ve sent you a quote",
  booked: "The job is booked",
  done: "The job is done",
};

type ProgressProps = {
  request: CustomerRequest;
  token: string;
  /** What we do if the job is not right; null if we do not promise it. */
  guarantee: string | null;
  outcome: PostOutcome | null;
  /** The customer has just changed the job. */
  isJobSaved: boolean;
  act: ActResult | null;
  /** The values of a posted form that was not saved. */
  typed: TypedForm | null;
};

function Progress(props: ProgressProps) {
  const { request, token, act, typed } = props;
  const { services, place, provider, passedOn, isExpired, isCalledOff, isErasurePending, contact } = request;
  const job = joinServices(services.map(serviceName));
  const reached = new Map(request.steps.map(({ step, at }) => [step, at]));
  const latest = REQUEST_STEPS.findLastIndex((step) => reached.has(step));
  // A provider may skip steps. They show no "Not yet".
  const steps = REQUEST_STEPS.filter(
    (step, index) => reached.has(step) || (index > latest && !isExpired && !isCalledOff),
  );
  const news = newsOf(props);
  // Only the customer's answer or time ends the question, not a provider who marks the job as done.
  const isCallOpen = request.call !== null && (request.call.canAnswer || request.call.isWithAdmin);
  const isOver = isExpired || isCalledOff || isErasurePending || (reached.has("done") && !isCallOpen);
  return (
    <div className="request" data-request={JSON.stringify({ request })}>
      <OwnScript file="requests/follow-request.ts" />
      <h1 id="request-title">{place ? `${job} in ${place}` : job}</h1>
      {news && <output className="request__news">{news}</output>}
      {passedOn && !isCalledOff && (
        <p>
          No call from {passedOn.by ?? "the first provider"} reached you in time, so{" "}
          {provider ? `${provider.name} has your request now` : "we’re looking for another provider"}.
        </p>
      )}
      {provider && (
        <div className="request__provider">
          <h2>{provider.name}</h2>
          {!isCalledOff && <p>{describeProvider(request)}</p>}
          {provider.phone && <PhoneLink phone={provider.phone} className="button" />}
          {provider.slug && <a href={`/provider/${provider.slug}`}>See {provider.name}’s page</a>}
          <ShownChecks checks={provider.checks} />
        </div>
      )}
      {provider && request.call && !isOver && !request.isAskedAboutCalls && (
        <DidTheyCall call={request.call} name={provider.name} isMarkedCalled={reached.has("called")} />
      )}
      {provider && (!isOver || request.isAskedAboutCalls) && (
        <GuaranteeQuestions request={request} name={provider.name} />
      )}
      {provider && <Review request={request} token={token} name={provider.name} />}
      <ol className="request__steps">
        {steps.map((step) => (
          <li key={step} className={reached.has(step) ? "is-reached" : undefined}>
            <span aria-hidden="true">{reached.has(step) && <Icon name="check" size={18} />}</span>
            <span>{step === "listed" && passedOn ? PASSED_ON : LABELS[step]}</span>
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
      {provider && reached.has("done") && !isCalledOff && props.guarantee && <p>{props.guarantee}</p>}
      <JobFacts job={request.job} />
      <RequestPhotos request={request} token={token} canAdd={!isOver} />
      {canChangeJob(request) && (
        <a className="button button--quiet" href={`/request/${token}/change`}>
          Change the job, name or address
        </a>
      )}
      {!isOver && <ContactPreferenceForm contact={contact} typed={typed} />}
      {reached.has("called") && !isOver && (
        <p>
          Want to hear from another provider too? <a href={getQuoteLink(request)}>Ask someone else</a>.
        </p>
      )}
      <div className="request__acts">
        {/* Calling off the job would end the call question and the review. */}
        {!isOver && !reached.has("done") && !request.isWithdrawalPending && (
          <AskButton intent="withdraw">{provider ? "Call off the job" : "Withdraw my request"}</AskButton>
        )}
        {!isErasurePending && <CustomerActs request={request} result={act} typed={typed} />}
      </div>
    </div>
  );
}

/** Links to the customer's review. Once the job is done, says that they can write one later. */
function Review({ request, token, name }: { request: CustomerRequest; token: string; name: string }) {
  const { review, steps, isCalledOff } = request;
  const isDone = steps.some(({ step }) => step === "done");
  if (review === "later")
    return isDone && !isCalledOff ? <p>Soon, you can review {name} on this page.</p> : null;
  if (!review) return null;
  return (
    <p>
      <a className={review === "open" ? "button" : undefined} href={`/review/${token}`}>
        {review === "open" ? `Review ${name}` : "See your review"}
      </a>
    </p>
  );
}

/** Says what the provider has, and does next. */
function describeProvider({ call, isNumberWrong, steps }: CustomerRequest): string {
  if (call?.answer === "never_asked") return "They have your details. We’ve asked them not to call you.";
  const willCall = steps.at(-1)?.step === "taken" && call?.answer !== "called" && !isNumberWrong;
  return `They have your details${willCall ? " and will call you" : ""}. Only one provider at a time gets them.`;
}

/** Shows the parts of the job that the customer most likely wants to change. */
function JobFacts({ job }: { job: RequestJob }) {
  const facts = [
    ["How soon", label(job.urgency)],
    ["How often", label(job.frequency)],
    ["Best time", label(job.preferredTime)],
    ["Size", label(job.propertySize)],
    ["Extras", job.additionalServices.map(label).join(", ")],
    ["Your notes", job.specificRequests],
  ] as const;
  return (
    <dl className="request__facts">
      {facts
        .filter(([, value]) => value)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd dir="auto">
              {value}
              {value?.includes(HIDDEN) && (
                <small className="request__note">
                  {`\n${HIDDEN} hides details that only your provider can see.`}
                </small>
              )}
            </dd>
          </div>
        ))}
    </dl>
  );
}

function StepTime({ isReached, at }: { isReached: boolean; at: number | null }) {
  if (at !== null) return <time dateTime={new Date(at).toISOString()}>{formatDateTime(at)}</time>;
  return isReached ? null : <span className="visually-hidden">Not yet</span>;
}
