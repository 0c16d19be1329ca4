import { requestContext } from "../lib/server-context.ts";
import type { Route } from "./+types/privacy-page.ts";
import { canonicalOf, pageMeta } from "./page-meta.ts";

export function loader({ request, context }: Route.LoaderArgs) {
  const { contactPhone, contactEmail, adsConversion, challenge } = context.get(requestContext);
  return {
    contactPhone,
    contactEmail,
    hasAds: adsConversion !== null,
    hasChallenge: challenge !== null,
    canonical: canonicalOf(request),
  };
}

export function meta({ loaderData }: Route.MetaArgs) {
  return pageMeta({
    title: "Privacy Policy",
    description:
      "Which details we collect when you ask for a quote, who gets them, and how to have them deleted.",
    canonical: loaderData?.canonical,
  });
}

export default function PrivacyPage({ loaderData }: Route.ComponentProps) {
  const { contactPhone, contactEmail, hasAds, hasChallenge } = loaderData;
  return (
    <article className="wrap prose">
      <h1>Privacy Policy</h1>
      <p className="note">Last updated July 17, 2025</p>
      <p>
        We handle personal information under the Privacy Act 1988 (Cth) and the Australian Privacy Principles.
        This page says what that means here.
      </p>
      <h2>What we collect</h2>
      <ul>
        <li>
          From customers: name, phone number, e-mail address if you give one, the property's address, and what
          you tell us about the job.
        </li>
        <li>
          From providers: name, business, contact details, insurance and areas served, and what they bought.
        </li>
        <li>Which wording stood above the button when you sent a form, and when you sent it.</li>
        <li>Technical records our servers need to work, such as the time and address of a request.</li>
      </ul>
      <h2>What it is for</h2>
      <p>
        Your details are used to find one provider for your job and to let that provider contact you.
        Providers' details are used to run their account, to take payment and to keep the market fair.
      </p>
      <h2>Who gets your details</h2>
      <p>
        One provider per request: the one who takes it. Before that, providers see your first name and
        initial, your suburb and the job, and the last three digits of your phone number. They do not see your
        e-mail address, your street or your surname. Our own administrators can see requests to sort out
        problems. Hosting and payment companies process data for us. We do not sell lists.
      </p>
      <h2>Cookies</h2>
      <p>
        Visitors need none. Signing in sets one cookie that keeps you signed in, and one that shows a message
        once. Nothing on these pages is loaded from other companies unless it is needed for a payment or for
        address suggestions.
      </p>
      {hasChallenge && (
        <p>
          There is one more exception. When you start to fill in a form that asks for a quote or a booking,
          your browser loads Turnstile, a check of Cloudflare's that tells people from programs. Cloudflare
          sees your network address and technical details of your browser, and tells us whether the check was
          passed. Nothing of what you typed is passed on to it. A request that does not pass is not refused:
          one of our administrators looks at it first.
        </p>
      )}
      {hasAds && (
        <p>
          After a request has been sent we may ask whether we may tell Google Ads that it was. Only if you
          agree does your browser load Google's script, which may set cookies of Google's. Nothing of what you
          typed is passed on. Your browser remembers your answer; a browser that sends the Global Privacy
          Control signal is not asked.
        </p>
      )}
      <h2>How long we keep it, and your rights</h2>
      <p>
        We keep requests as long as they are needed for the job, for accounts and for the law. Ask us what we
        hold about you, to correct it or to delete it: <a href={`mailto:${contactEmail}`}>{contactEmail}</a>{" "}
        or <a href={`tel:${contactPhone.replaceAll(/\s/g, "")}`}>{contactPhone}</a>. If our answer does not
        satisfy you, you can complain to the Office of the Australian Information Commissioner.
      </p>
    </article>
  );
}
