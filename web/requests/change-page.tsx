import { data, redirect } from "react-router";

import { MAX_REQUEST_TOKEN_LENGTH } from "../../contract/request-links.ts";
import { ApiError, messageOf, unwrap } from "../lib/api.ts";
import { apiContext, requestContext } from "../lib/server-context.ts";
import { groupErrorsByField } from "../quotes/quote-check.ts";
import { Logo } from "../site/logo.tsx";
import { pageMeta } from "../site/page-meta.ts";
import { Alert } from "../ui/alert.tsx";
import type { Route } from "./+types/change-page.ts";
import { canChangeJob } from "./can-change-job.ts";
import { JobForm, readJob } from "./job-form.tsx";
import { NoRequest } from "./no-request.tsx";
import { getQuoteLink } from "./quote-link.ts";
import { Questions } from "./questions.tsx";
import { UnsavedAlert } from "./unsaved-alert.tsx";

/** The URL is secret, like the request's own. */
export function headers() {
  return { "Cache-Control": "no-store", "Referrer-Policy": "same-origin" };
}

const tokenOf = (params: { token: string }) => params.token.slice(0, MAX_REQUEST_TOKEN_LENGTH);

/** Loads the job without changing it. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const { contactPhone } = context.get(requestContext);
  const api = context.get(apiContext).api.requests;
  const { request } = await unwrap(api.$get({ query: { token: tokenOf(params) } }));
  if (request && !canChangeJob(request)) throw redirect(`/request/${params.token}`);
  return { request, contactPhone };
}

const CALL_US = "Please call us about this change. We’d like to check it with you.";
const CLOSED = "This request can’t be changed any more.";
const OTHER_SUBURB = "This isn’t in the suburb of your request.";

/** Changes the job, and returns to the request's page. */
export async function action({ request, params, context }: Route.ActionArgs) {
  const { values, checked } = readJob(await request.formData());
  const again = (failure: string | null, errors: Record<string, string>, status: number) =>
    data({ values, failure, errors: groupErrorsByField(errors) }, { status });
  if (!checked.values) return again(null, checked.errors, 400);
  try {
    const api = context.get(apiContext).api.requests.change;
    const { outcome } = await unwrap(api.$post({ json: { ...checked.values, token: tokenOf(params) } }));
    if (outcome === "call_us") return again(CALL_US, {}, 422);
    if (outcome === "closed") return again(CLOSED, {}, 409);
    if (outcome === "other_suburb") return again(null, { customerAddress: OTHER_SUBURB }, 422);
  } catch (error) {
    const errors = error instanceof ApiError ? error.problem?.errors : undefined;
    if (errors) return again(null, errors, 400);
    const failure = messageOf(error, "That didn’t work. Please try again.");
    return again(failure, {}, error instanceof ApiError ? error.status : 500);
  }
  return redirect(`/request/${params.token}?saved=job`, 303);
}

export function meta() {
  return pageMeta({ title: "Change your request", description: "Change your request for a free quote." });
}

export default function ChangePage({ loaderData, actionData, params }: Route.ComponentProps) {
  const { request, contactPhone } = loaderData;
  const { values, failure, errors = {} } = actionData ?? {};
  const isOtherSuburb = errors.customerAddress === OTHER_SUBURB;
  const [firstInvalid] = Object.keys(errors);
  return (
    <section className="sheet sheet--small" aria-labelledby="request-title">
      <Logo />
      {failure && <Alert>{failure}</Alert>}
      {firstInvalid !== undefined && !isOtherSuburb && <UnsavedAlert field={firstInvalid} />}
      {request && isOtherSuburb && (
        <Alert>
          <p>
            Your new address is in another suburb, so it needs a new request. Please{" "}
            <a href={getQuoteLink({ ...request, place: null })}>ask again</a>, then{" "}
            <a href={`/request/${params.token}`}>
              {request.provider ? "call off this job" : "withdraw this request"}
            </a>
            .
          </p>
        </Alert>
      )}
      {request ? (
        <>
          <h1 id="request-title">Change your request</h1>
          <p>
            {request.provider
              ? `We’ll show ${request.provider.name} what has changed.`
              : "Providers will see the change straight away, but not your last name, number or street."}
          </p>
          <JobForm values={values ?? request.job} errors={errors} place={request.place} />
          <a href={`/request/${params.token}`}>Back to your request</a>
        </>
      ) : (
        <NoRequest />
      )}
      <Questions phone={contactPhone} reference={request?.reference} />
    </section>
  );
}
