import { redirect, type RouterContextProvider } from "react-router";

import { type InspectionId, INSPECTIONS, serviceName } from "../../contract/catalogue.ts";
import { MAX_PHOTOS } from "../../contract/photos.ts";
import { joinServices } from "../../contract/service-list.ts";
import { unwrap } from "../lib/api.ts";
import { apiContext, policyContext, reportContext, requestContext } from "../lib/server-context.ts";
import { isAsSpecified } from "../site/claims.ts";
import { NoticePage } from "../site/notice.tsx";
import { pageMeta } from "../site/page-meta.ts";
import { formatPhone } from "../../contract/phone.ts";
import { PhoneLink } from "../site/phone-link.tsx";
import { useClaims } from "../site/site-claims.ts";
import { Icon } from "../ui/icon.tsx";
import type { Route } from "./+types/success-page.ts";
import { Island } from "../documents/island.tsx";
import AddPhotos from "../photos/add-photos.island.tsx";
import { photosFile, photosHandle } from "../photos/photos-file.ts";
import { ConversionConsent } from "./conversion-consent.tsx";
import { NextSteps } from "./next-steps.tsx";
import { readSentRequest, type Sent } from "./sent-request.ts";

export const handle = photosHandle;

/** Returns the request as its own page shows it; null if that fails, because the thanks still hold. */
async function findRequest(context: Readonly<RouterContextProvider>, token: string) {
  try {
    const { request } = await unwrap(context.get(apiContext).api.requests.$get({ query: { token } }));
    return request ?? "gone";
  } catch (error) {
    context.get(reportContext)("sent_request_failed", error);
    return null;
  }
}

/**
 * Loads the page's data. The content security policy allows Google only if a conversion is configured. A request that was
 * withdrawn or deleted in the meantime has no thanks.
 */
export async function loader({ request, context }: Route.LoaderArgs) {
  const { adsConversion, contactPhone } = context.get(requestContext);
  context.get(policyContext).reportsConversions = adsConversion !== null;
  const isInspection = new URL(request.url).searchParams.get("for") === "inspection";
  const sent = readSentRequest(request.headers.get("Cookie"));
  const found = sent?.token ? await findRequest(context, sent.token) : null;
  if (found === "gone") throw redirect(`/request/${sent!.token}`);
  const photoCount = found?.photos.length ?? 0;
  const hasNoEmail = found !== null && !found.contact.hasEmail;
  return { adsConversion, contactPhone, isInspection, sent, photoCount, hasNoEmail };
}

export function meta() {
  return pageMeta({
    title: "Request submitted: what happens next",
    description:
      "We have your request. See who calls you and when, and check that your phone number is right.",
  });
}

/** Shows who will get in touch: a provider, or our own team. */
function Thanks({ isInspection }: { isInspection: boolean }) {
  const claims = useClaims();
  if (isInspection) return <p className="intro">Thanks. We’ll call you to set a time for the inspection.</p>;
  return (
    <p className="intro">
      Thanks. We’ll find a provider for you
      {isAsSpecified(claims, "connected")
        ? " and connect you within 24 hours."
        : ` and connect you as soon as we can.${claims.connected ? ` ${claims.connected}.` : ""}`}
    </p>
  );
}

/** Shows the request's details, so that the visitor notices a mistake while it can still be corrected. */
function RequestSummary({ sent, isInspection }: { sent: Sent; isInspection: boolean }) {
  const { phone, services, place, reference } = sent;
  const names = services.map((id) => (id in INSPECTIONS ? INSPECTIONS[id as InspectionId] : serviceName(id)));
  const asked = joinServices(names);
  return (
    <dl className="recap">
      <div>
        <dt>{isInspection ? "We’ll call" : "Your provider will call"}</dt>
        <dd>{formatPhone(phone)}</dd>
      </div>
      {asked && (
        <div>
          <dt>You asked for</dt>
          <dd>{place ? `${asked} in ${place}` : asked}</dd>
        </div>
      )}
      {reference && (
        <div>
          <dt>Your reference</dt>
          <dd>{reference}</dd>
        </div>
      )}
    </dl>
  );
}

export default function SuccessPage({ loaderData }: Route.ComponentProps) {
  const { adsConversion, contactPhone, isInspection, sent, photoCount, hasNoEmail } = loaderData;
  return (
    <NoticePage
      plate={<Icon name="check" size={28} />}
      title="Request Submitted Successfully!"
      scene="on-the-way"
    >
      <Thanks isInspection={isInspection} />
      {sent && <RequestSummary sent={sent} isInspection={isInspection} />}
      {photoCount > 0 && (
        <p>
          {photoCount === 1 ? "We have your photo." : `We have your ${photoCount} photos.`} You can see or
          delete {photoCount === 1 ? "it" : "them"} on your request’s page.
        </p>
      )}
      {sent?.token && photoCount < MAX_PHOTOS.request && (
        <Island
          file="photos/add-photos.island.tsx"
          component={AddPhotos}
          when="touch"
          props={{ token: sent.token, file: photosFile() }}
        />
      )}
      {!isInspection && <NextSteps />}
      <div className="nobody-called">
        {sent?.token && (
          <p>
            Your request’s page asks whether your provider has called. If they haven’t, choose “Not Yet”
            there, and we’ll step in.
          </p>
        )}
        <p>
          {!sent?.token &&
            !isInspection &&
            "Evenings, nights and public holidays don’t count, so the call can take up to two days, or longer over public holidays. No call after that? Ring us. "}
          {sent?.token ? (
            "A typo in your number? You can change it on your request’s page."
          ) : (
            <>
              A typo in your number? Ring us
              {sent?.reference && " with your reference"} and we’ll sort it out.
            </>
          )}
        </p>
        {hasNoEmail && (
          <p>
            You gave us no email address, so save the link to your request’s page. You can also add an address
            there.
          </p>
        )}
        <p className="actions">
          {sent?.token && (
            <a className="button button--main" href={`/request/${sent.token}`}>
              Follow your request
            </a>
          )}
          <PhoneLink phone={contactPhone} className="button button--quiet" />
          <a className="button button--quiet" href="/naturestrip.vcf">
            Save our number
          </a>
        </p>
      </div>
      {/* Plain links instead of calls to action: the visitor has finished. */}
      <p className="ways-on">
        <a href="/">Back to the home page</a>
        <a href="/locations">View All Locations</a>
        {!isInspection && !hasNoEmail && <a href="/my-requests">All Your Requests</a>}
      </p>
      {adsConversion && <ConversionConsent conversion={adsConversion} />}
    </NoticePage>
  );
}
