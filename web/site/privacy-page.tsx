import { describeLegalEntity } from "../../contract/legal-entity.ts";
import { LOW_STANDING_MIN_LEADS, LOW_STANDING_SHARE, STANDING_DAYS } from "../../contract/standing.ts";
import { formatPhone, telHref } from "../../contract/phone.ts";
import { requestContext } from "../lib/server-context.ts";
import type { Route } from "./+types/privacy-page.ts";
import { getCanonicalUrl, pageMeta } from "./page-meta.ts";
import { formatPeriod } from "./format-period.ts";
import text from "./privacy.md";
import { TextPage } from "./text-page.tsx";

export function loader({ request, context }: Route.LoaderArgs) {
  const {
    contactPhone,
    contactEmail,
    legalEntity,
    adsConversion,
    challenge,
    checksBreaches,
    mapsKey,
    retention,
    sendsTexts,
    slowCallers,
  } = context.get(requestContext);
  return {
    contactPhone,
    contactEmail,
    legalEntity,
    checksBreaches,
    hasAds: adsConversion !== null,
    hasMaps: mapsKey !== null,
    hasChallenge: challenge !== null,
    hasTexts: sendsTexts,
    retention,
    slowCallers,
    canonical: getCanonicalUrl(request),
  };
}

export function meta({ loaderData }: Route.MetaArgs) {
  return pageMeta({
    title: "Privacy Policy: Who Gets Your Details",
    description:
      "Your number goes to one provider at a time. What else we collect, what a provider’s page shows, how long we keep it, and how to have it deleted.",
    canonical: loaderData?.canonical,
  });
}

/** Australian Privacy Principles 1.7 and 1.8 require the text's section on automated decisions. */
export default function PrivacyPage({ loaderData }: Route.ComponentProps) {
  const { contactPhone, legalEntity, retention, hasAds, hasMaps } = loaderData;
  return (
    <TextPage
      title="Privacy Policy"
      path="/privacy-policy"
      html={text}
      facts={{
        legalEntity: describeLegalEntity(legalEntity),
        postalAddress: legalEntity.address,
        contactEmail: loaderData.contactEmail,
        contactPhone: formatPhone(contactPhone).replaceAll(" ", "\u00a0"),
        contactPhoneLink: telHref(contactPhone) ?? "",
        checksBreaches: loaderData.checksBreaches,
        hasChallenge: loaderData.hasChallenge,
        hasTexts: loaderData.hasTexts,
        hasAds,
        hasMaps,
        hasGoogle: hasAds || hasMaps,
        endsOffers: loaderData.slowCallers === "no_rescue_offers",
        lowShare: LOW_STANDING_SHARE * 100,
        minLeads: LOW_STANDING_MIN_LEADS,
        standingDays: STANDING_DAYS,
        requestPeriod: formatPeriod(retention.requestDays),
        soldPeriod: formatPeriod(retention.soldDays),
      }}
    />
  );
}
