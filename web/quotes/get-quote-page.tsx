import { data } from "react-router";

import { QUOTE_FORM_SERVICES } from "../../contract/catalogue.ts";
import { UNCLEAR_SUBURB } from "../../contract/address.ts";
import type { FieldErrors } from "../../contract/problem.ts";
import { unwrap } from "../lib/api.ts";
import { Island } from "../documents/island.tsx";
import { apiContext, requestContext } from "../lib/server-context.ts";
import { HowItWorksLink } from "../site/how-it-works-link.tsx";
import { Logo } from "../site/logo.tsx";
import { getCanonicalUrl, pageMeta } from "../site/page-meta.ts";
import { PhoneLink } from "../site/phone-link.tsx";
import { Ticks } from "../site/points.tsx";
import { NextSteps } from "./next-steps.tsx";
import { Icon } from "../ui/icon.tsx";
import type { Route } from "./+types/get-quote-page.ts";
import {
  groupErrorsByField,
  checkQuote,
  findFirstInvalidStep,
  LAST_STEP,
  readQuote,
  filterStepErrors,
  parseStep,
} from "./quote-check.ts";
import { getChallenge } from "./challenge-source.ts";
import { SEND_FAILED } from "./failure-toast.tsx";
import { BLANK_FORM } from "../documents/form-state.ts";
import {
  chooseAddress,
  deriveSubmissionId,
  readFailure,
  readSubmissionId,
  redirectToThanks,
} from "./handle-request-form.ts";
import QuoteForm, { type QuoteFormProps } from "./quote-form.island.tsx";
import { photosFile, photosHandle } from "../photos/photos-file.ts";
import { lookUpSuburb, needsSuburb } from "../addresses/look-up-suburb.ts";
import { getMapsSource } from "../addresses/maps-source.ts";

export const handle = photosHandle;

const ADDRESS_MAX = 200;

export async function loader({ request, context }: Route.LoaderArgs) {
  const query = new URL(request.url).searchParams;
  const address = query.get("address")?.trim().slice(0, ADDRESS_MAX) ?? "";
  const asked = new Set(query.getAll("service"));
  const services = QUOTE_FORM_SERVICES.filter((id) => asked.has(id));
  const maps = getMapsSource(context);
  // Suggest suburbs on arrival: a postcode has several, and one tap then fixes a typo.
  const place = await lookUpSuburb(context.get(apiContext), { customerAddress: address });
  const suburbs = place?.suggestions ?? [];
  const { contactPhone } = context.get(requestContext);
  const canonical = getCanonicalUrl(request);
  return { address, services, suburbs, canonical, contactPhone, maps, ...getChallenge(context) };
}

/** Checks a step, or sends the request. All buttons of the form post here, and so does its island. */
export async function action({ request, context }: Route.ActionArgs) {
  const form = await request.formData();
  const step = parseStep(form.get("step"));
  const values = readQuote(form);
  const given = readSubmissionId(form);
  let submissionId = given ?? crypto.randomUUID();

  const client = context.get(apiContext);
  const again = async (step: number, errors: FieldErrors, failure: string | null = null, status = 200) => {
    const isUnclear = errors.customerAddress === UNCLEAR_SUBURB;
    const place = isUnclear ? await lookUpSuburb(client, values) : null;
    const suburbs = place?.suggestions ?? [];
    return data({ values, step, errors, submissionId, failure, suburbs }, { status });
  };

  if (chooseAddress(values, form)) return again(0, {});

  if (form.get("intent") === "back") return again(Math.max(step - 1, 0), {});
  const checked = checkQuote(values);
  if (step < LAST_STEP) {
    const own = groupErrorsByField(filterStepErrors(checked.errors, step));
    if (Object.keys(own).length > 0) return again(step, own, null, 400);
    const place = step === 0 ? await lookUpSuburb(client, values) : null;
    if (needsSuburb(place)) return again(0, { customerAddress: UNCLEAR_SUBURB }, null, 400);
    return again(step + 1, {});
  }
  if (!checked.values)
    return again(findFirstInvalidStep(checked.errors), groupErrorsByField(checked.errors), null, 400);
  submissionId = given ?? (await deriveSubmissionId(form, Date.now()));
  try {
    const answer = await unwrap(client.api.leads.$post({ json: { ...checked.values, submissionId } }));
    return redirectToThanks("/success", request, checked.values, answer);
  } catch (error) {
    const { status, errors, failure } = readFailure(error, SEND_FAILED);
    if (!failure) return again(findFirstInvalidStep(errors), errors, null, 400);
    return again(LAST_STEP, {}, failure, status);
  }
}

export function meta({ loaderData }: Route.MetaArgs) {
  return pageMeta({
    title: "Get a Free Quote for Your Lawn or Garden",
    description:
      "Three short steps: the place, the job and your number. One local provider then calls you with a free quote, with no obligation.",
    canonical: loaderData?.canonical,
  });
}

const REASSURANCE = [
  "Your details go to one provider at a time, not to a crowd.",
  "You pay your provider, never us.",
  "No deal until you say yes.",
] as const;

export default function GetQuotePage({ loaderData, actionData }: Route.ComponentProps) {
  const { address, services, suburbs, maps, challenge } = loaderData;
  const values = { customerAddress: address, ...(services.length > 0 && { serviceType: services }) };
  const props: QuoteFormProps = {
    ...(actionData ?? { ...BLANK_FORM, values, suburbs, step: 0 }),
    maps,
    challenge,
    photosFile: photosFile(),
  };
  return (
    <>
      {/* A click outside the form closes it. Keyboard users press Escape or the cross. */}
      <a className="beside" href="/" data-close="" tabIndex={-1} aria-hidden="true" />
      <section className="sheet sheet--quote" aria-labelledby="quote-title">
        <header className="sheet__head">
          <div className="sheet__logo" data-close="">
            <Logo />
          </div>
          <PhoneLink phone={loaderData.contactPhone} className="icon-button sheet__call">
            Call
          </PhoneLink>
          <div className="sheet__title">
            <h1 id="quote-title">Get your free quote</h1>
            <p>
              One provider calls. Not five. <HowItWorksLink />
            </p>
          </div>
          <a className="icon-button" href="/" data-close="" aria-label="Close and go back to the home page">
            <Icon name="close" />
          </a>
        </header>
        <Island file="quotes/quote-form.island.tsx" component={QuoteForm} when="now" props={props} />
        {/* Last in the document, so that it moves nothing while it loads. On a wide screen it is on the left. */}
        <aside className="sheet__beside" aria-label="About us">
          {/* A filled-in form asks before it closes. */}
          <div data-close="">
            <Logo />
          </div>
          <Ticks items={REASSURANCE} />
          <NextSteps />
          <p>Would you rather talk?</p>
          <PhoneLink phone={loaderData.contactPhone} className="button button--quiet" />
        </aside>
      </section>
    </>
  );
}
