import { data } from "react-router";

import { QUOTE_FORM_SERVICES } from "../../contract/catalogue.ts";
import { WHICH_SUBURB } from "../../contract/address.ts";
import type { FieldErrors } from "../../contract/problem.ts";
import { unwrap } from "../lib/api.ts";
import { Island } from "../documents/island.tsx";
import { apiContext } from "../lib/server-context.ts";
import { canonicalOf, pageMeta } from "../site/page-meta.ts";
import { Icon } from "../ui/icon.tsx";
import type { Route } from "./+types/get-quote-page.ts";
import {
  byField,
  checkQuote,
  firstWrongStep,
  LAST_STEP,
  readQuote,
  SEND_FAILED,
  stepErrors,
  stepFrom,
} from "./quote-check.ts";
import { challengeFor } from "./challenge-source.ts";
import { BLANK_FORM, givenSubmissionId, readFailure, submissionIdFrom } from "./post-form.ts";
import QuoteForm, { type QuoteFormProps } from "./quote-form.island.tsx";
import { lookUpSuburb } from "../addresses/look-up-suburb.ts";
import { thank } from "./thank.ts";
import { mapsFor } from "../addresses/maps-source.ts";

const ADDRESS_MAX = 200;

export async function loader({ request, context }: Route.LoaderArgs) {
  const query = new URL(request.url).searchParams;
  const address = query.get("address")?.trim().slice(0, ADDRESS_MAX) ?? "";
  const service = QUOTE_FORM_SERVICES.find((id) => id === query.get("service"));
  const maps = mapsFor(context);
  // Suggest suburbs on arrival: a postcode has several, and one tap then fixes a typing error.
  const place = await lookUpSuburb(context.get(apiContext), address);
  const suburbs = place?.suggestions ?? [];
  return { address, service, suburbs, canonical: canonicalOf(request), maps, ...challengeFor(context) };
}

/** Handles the form when the browser posts it before or without the script. All buttons of the form post here. */
export async function action({ request, context }: Route.ActionArgs) {
  const form = await request.formData();
  const step = stepFrom(form.get("step"));
  const values = readQuote(form);
  const given = givenSubmissionId(form);
  let submissionId = given ?? crypto.randomUUID();

  const client = context.get(apiContext);
  const again = async (step: number, errors: FieldErrors, failure: string | null = null, status = 200) => {
    const asks = errors.customerAddress === WHICH_SUBURB;
    const place = asks ? await lookUpSuburb(client, values.customerAddress) : null;
    const suburbs = place?.suggestions ?? [];
    return data({ values, step, errors, submissionId, failure, suburbs }, { status });
  };

  const chosen = form.get("chosenAddress");
  if (typeof chosen === "string") {
    values.customerAddress = chosen;
    return again(0, {});
  }

  if (form.get("intent") === "back") return again(Math.max(step - 1, 0), {});
  const checked = checkQuote(values);
  if (step < LAST_STEP) {
    const own = byField(stepErrors(checked.errors, step));
    if (Object.keys(own).length > 0) return again(step, own, null, 400);
    const place = step === 0 ? await lookUpSuburb(client, values.customerAddress) : null;
    if (place && !place.suburb) return again(0, { customerAddress: WHICH_SUBURB }, null, 400);
    return again(step + 1, {});
  }
  if (!checked.values) return again(firstWrongStep(checked.errors), byField(checked.errors), null, 400);
  submissionId = given ?? (await submissionIdFrom(form, Date.now()));
  try {
    const answer = await unwrap(client.api.leads.$post({ json: { ...checked.values, submissionId } }));
    return thank("/success", request, checked.values, answer);
  } catch (error) {
    const { status, errors, failure } = readFailure(error, SEND_FAILED);
    if (!failure) return again(firstWrongStep(errors), errors, null, 400);
    return again(LAST_STEP, {}, failure, status);
  }
}

export function meta({ loaderData }: Route.MetaArgs) {
  return pageMeta({
    title: "Get a Free Quote",
    description:
      "Tell us about your property and what needs doing, and one local provider will call you with a free quote.",
    canonical: loaderData?.canonical,
  });
}

export default function GetQuotePage({ loaderData, actionData }: Route.ComponentProps) {
  const { address, service, suburbs, maps, challenge } = loaderData;
  const values = { customerAddress: address, ...(service && { serviceType: [service] }) };
  const props: QuoteFormProps = {
    ...(actionData ?? { ...BLANK_FORM, values, suburbs, step: 0 }),
    maps,
    challenge,
  };
  return (
    <>
      {/* A click outside the form closes it. Keyboard users press Escape or the cross. */}
      <a className="beside" href="/" data-close="" tabIndex={-1} aria-hidden="true" />
      <section className="sheet" aria-labelledby="quote-title">
        <header className="sheet__head">
          <div>
            <h1 id="quote-title">Get your free quote</h1>
            <p>Three quick steps. Free, with no obligation.</p>
          </div>
          <a className="icon-button" href="/" data-close="" aria-label="Close and go back to the home page">
            <Icon name="close" />
          </a>
        </header>
        <Island file="quotes/quote-form.island.tsx" component={QuoteForm} when="now" props={props} />
      </section>
    </>
  );
}
