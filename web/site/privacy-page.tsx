import { describeLegalEntity } from "../../contract/legal-entity.ts";
import { LOW_STANDING_MIN_LEADS, LOW_STANDING_SHARE, STANDING_DAYS } from "../../contract/standing.ts";
import { requestContext } from "../lib/server-context.ts";
import type { Route } from "./+types/privacy-page.ts";
import { LastUpdated } from "./last-updated.tsx";
import { getCanonicalUrl, pageMeta } from "./page-meta.ts";
import { formatPeriod } from "./format-period.ts";
import { PhoneNumber } from "../ui/phone-number.tsx";

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

type Facts = Route.ComponentProps["loaderData"];

export function meta({ loaderData }: Route.MetaArgs) {
  return pageMeta({
    title: "Privacy Policy: Who Gets Your Details",
    description:
      "Your number goes to one provider at a time. What else we collect, what a provider’s page shows, how long we keep it, and how to have it deleted.",
    canonical: loaderData?.canonical,
  });
}

function Collected() {
  return (
    <>
      <h2>What we collect</h2>
      <ul>
        <li>
          From customers: name, phone number, email address if you give one, the property's address, how and
          when you'd like to be reached, what you tell us about the job, and any photos you add. We remove the
          place and time from each photo, and don't keep the original.
        </li>
        <li>
          From providers: name, business, contact details, insurance and areas served, and what they bought.
          If they want to be verified: their ABN, insurance certificate and policy number, licence number, and
          police check reference. We also record the day we checked each one. We don't keep a copy of the
          police check.
        </li>
        <li>The wording above the button when you sent a form, and when you sent it.</li>
        <li>
          Technical records, such as when you sent a form or signed in, what kind of browser you used, a
          scrambled form of the network it came from, and whether you used a link we sent you or replied to
          our text. We don't store your IP address.
        </li>
      </ul>
      <h2>What we use it for</h2>
      <p>
        We use your details to find a provider for your job and to let that provider contact you. We use
        providers' details to run their accounts, take payments and keep the marketplace fair.
      </p>
    </>
  );
}

function Recipients({ checksBreaches, hasAds, hasMaps, hasTexts }: Facts) {
  return (
    <>
      <h2>Who gets your details</h2>
      <p>
        One provider at a time: the one who takes your request. Before that, providers see your first name and
        initial, your suburb and the job, and the last three digits of your phone number. They also see
        whether you used a link we sent you or replied to our text, and whether you're already their customer.
        They don't see your email address, your street or your surname. Our own administrators can see
        requests to sort out problems. We don't sell lists.
      </p>
      <p>
        If the provider doesn't call you in time and you tell us so, we pass your request on, once. The next
        provider who takes it gets your details too, and we tell the first one. We only do this if the wording
        above the button said so when you sent the form.
      </p>
      <p>
        If you give us an email address, we email you about your request and nothing else. We tell you when we
        get it, when a provider takes it, if no provider takes it, if it's withdrawn, if its email address
        changes, and if we hide your review. We ask whether the provider called, whether you missed their
        calls, and once for a review. We don't send advertising. Each of these emails says how to stop them.
        If you do, we keep your address in a scrambled form, so we know not to email it.
        {hasTexts &&
          " If you give us a mobile number and no email address, we may text you about a request: to say who took it, to ask about their calls, to ask once for a review, and to say if we hide it. Reply STOP to our number to end these texts."}
      </p>
      <p>
        If you review the provider, everyone can read it: your stars and text, your first name, your suburb,
        the service and the month. We show no other details. If you delete your details, the stars, the
        service and the month stay. <a href="/reviews">How reviews work</a>
      </p>
      <p>
        The customer sees the name and phone number of the provider who took the request, what we've checked
        about them, and when. They see a licence number, but no ABN, policy number or certificate. Only our
        own administrators and the provider can open the certificate.
      </p>
      <h2>What providers' pages show</h2>
      <p>
        A provider can publish a page with its name, suburb, services, area and photos. We add what we have
        checked, how soon it calls customers, and its reviews. Pages of suburbs in its area may list it too,
        with its rating and the number of customers it called in time. Everyone can see the page once we've
        checked the provider's ABN, or it has paid for a request. None of these pages shows its phone number,
        email address or street. The provider can take it down at any time, and we remove it when we delete
        the account.
      </p>
      <h2>Links to your request</h2>
      <p>
        Each request has a page with its own link. You don't need a password, so anyone with the link can see
        how the request is going, change it or withdraw it. Keep it to yourself. To change your phone number
        or email address, or to delete your details, the page asks for the last four digits of your number.
        The link works until your details are removed. Once the request is withdrawn, you can only use it to
        delete them. Changing your email address doesn't end earlier links. A link to all your requests goes
        only to your email address, and works once, for up to an hour.
      </p>
      <h2>Companies that work for us, and where they are</h2>
      <ul>
        <li>
          <strong>Cloudflare</strong> (United States) runs our website, keeps our database and sends our
          email. The database is kept in Oceania. Your request may pass through its computers in other
          countries on the way.
        </li>
        <li>
          <strong>Stripe</strong> (United States and Ireland) takes providers' payments. Card numbers go
          straight from the browser to Stripe; we never see them. Customers pay us nothing, so Stripe gets no
          information about them.
        </li>
        {hasTexts && (
          <li>
            <strong>Mobile Message</strong> (Australia) sends our text messages. It gets the number and the
            wording of each text. If you reply, it passes your message on to us, and the provider who took
            your request can read it.
          </li>
        )}
        {checksBreaches && (
          <li>
            <strong>Have I Been Pwned</strong> gets the first five characters of a new password's hash, and
            nothing about you.
          </li>
        )}
        {(hasMaps || hasAds) && (
          <li>
            <strong>Google</strong> (United States)
            {hasMaps &&
              " suggests addresses as you type. It gets what you type into the address field, and your IP address."}
            {hasAds && " Google Ads learns that a request was sent, but only if you agree."}
          </li>
        )}
      </ul>
      <p>No one else overseas gets your details from us.</p>
    </>
  );
}

const LOW_SHARE = `${LOW_STANDING_SHARE * 100}%`;

/** Names the decisions that programs make, and what they use (Australian Privacy Principle 1.7 and 1.8). */
function Programs({ slowCallers }: Facts) {
  return (
    <>
      <h2>Automated decisions</h2>
      <p>Programs make these decisions on their own. We say what information each one uses.</p>
      <ul>
        <li>
          <strong>Checking requests.</strong> A program checks each request before providers can see it. It
          checks whether the phone number could be real, whether the same person has just asked for the same
          thing, how fast the form was filled in, how many requests came from one network, whether we know
          your suburb, and whether a field that people can't see was filled in. It looks for links, throwaway
          email addresses, and a provider's account, browser, phone number or email address. It also looks at
          your browser and your network's country and owner. A provider can't buy their own request. If
          something looks odd, the request waits until one of our team has looked at it. A program never turns
          a request down. If you change a request and the change looks odd, we ask you to call us instead.
        </li>
        <li>
          <strong>Hiding contact details.</strong> A program hides phone numbers, email addresses, links,
          messenger names and street addresses in what you write, so that only the provider who takes your job
          gets them. It doesn't find a number that you write in words.
        </li>
        <li>
          <strong>Reviews.</strong> A program refuses a review that comes from the provider&apos;s own phone
          number, email address or browser. If it comes from another provider's, or from a network where a
          provider signs in, one of our team looks at it. A program also hides a review if the provider gets a
          free claim for the request, unless that was because you missed their calls.
        </li>
        <li>
          <strong>Who gets a job.</strong> A program gives each job to whichever provider gets in first. A
          provider who reserves jobs without paying has to wait before reserving another. A provider we
          haven't verified, who has never paid for a job, can reserve one job at a time and gets 90 seconds to
          pay instead of five minutes. How many jobs such providers can reserve together depends on their
          network and region.
        </li>
        <li>
          <strong>Passing a request on.</strong> If a provider doesn't call in time and the customer tells us
          so, a program passes the request on, once. First it offers the request to providers who tried to get
          the same job at the same time and have paid for a job before, in the order they tried. Then any
          provider except the first one can take it. The program makes no offer to a provider who has the same
          phone number, email address or ABN as the first one, has paused their alerts, or ignored two of
          these offers in the last 30 days with any of their businesses.
        </li>
        <li>
          <strong>How reliably a provider calls.</strong> A program works out the share of customers each
          provider called in time. It uses when they bought each job, the calls they logged, and what
          customers told us if they used a link we sent or replied to our text. Below {LOW_SHARE} of at least{" "}
          {LOW_STANDING_MIN_LEADS} customers in {STANDING_DAYS} days, the provider sees a warning, and suburb
          pages list other providers first.{" "}
          {slowCallers === "no_rescue_offers" &&
            "Until the share is higher, that provider isn't offered requests that are passed on. "}
          For the warning{slowCallers === "no_rescue_offers" && " and these offers"}, we also count the calls
          of the same person's other businesses, which have the same ABN. The order on suburb pages counts
          only a business's own calls. The figures are public only if the provider has a page. Suburb pages
          show how many customers it called in time, once it has had at least {LOW_STANDING_MIN_LEADS}. Its
          own page shows its median time to call. <a href="/how-it-works#listed">How we order providers</a>
        </li>
        <li>
          <strong>Free claims for bad leads.</strong> A program decides if a provider gets a free claim for a
          lead that they bought. It uses what the customer says or changes on their request&apos;s page, and
          their replies to texts. It also uses the calls, quotes and bookings that the provider logged, their
          payment, and the leads that they and their other businesses bought and the free claims they got in
          the last 90 days. Our <a href="/terms-conditions">terms</a> have the rules. A provider can contest a
          decision, and one of our team then decides.
        </li>
      </ul>
      <p>If you think a program got it wrong, contact us and one of our team will take a look.</p>
    </>
  );
}

function Cookies({ hasAds, hasChallenge }: Facts) {
  return (
    <>
      <h2>Cookies</h2>
      <p>
        You can browse and ask for a quote without cookies. Our thank-you page just says less. Signing in sets
        three cookies. One keeps you signed in. One shows a message once. One recognises your browser for 180
        days, so that people who guess passwords can't slow down your own sign-in. Signing in with a passkey
        sets a fourth, for ten minutes, until you finish. Nothing on these pages is loaded from other
        companies unless it's needed for a payment or for address suggestions.
      </p>
      <p>
        We count how often people open our pages and start our forms. We store one number a day for each, with
        nothing about who it was.
      </p>
      <p>
        What you type into a request stays in your browser's tab for up to a day, until you send it or close
        the tab. You lose nothing if the page reloads. Once you've sent it, a cookie stores your phone number,
        what you asked for, where, your reference and the link to your request for half an hour. Only our
        thank-you page can read it. If you open the list of all your requests, a cookie keeps it open for an
        hour. Only that page can read it.
      </p>
      <p>
        A provider's browser stores their open leads for a week, encrypted, so they can read them without
        reception. Another cookie holds the key. It's deleted when they sign out, and after that no one can
        read the leads.
      </p>
      {hasChallenge && (
        <p>
          There's one more exception. When you start filling in a form to ask for a quote or make a booking,
          your browser loads Turnstile, Cloudflare's check for bots. Cloudflare sees your IP address and
          technical details of your browser, and tells us whether you passed. Nothing you typed is passed on
          to it. A request that doesn't pass isn't refused: one of our administrators looks at it first.
        </p>
      )}
      {hasAds && (
        <p>
          After you send a request, we may ask if we can tell Google Ads that it was sent. Your browser only
          loads Google's script if you agree, and that script may set Google's own cookies. Nothing you typed
          is passed on. Your browser remembers your answer. We don't ask if your browser sends the Global
          Privacy Control signal.
        </p>
      )}
    </>
  );
}

function Periods({ retention }: Facts) {
  return (
    <>
      <h2>How long we keep it</h2>
      <ul>
        <li>
          A request no provider took, or an inspection booking: your name, number, email and address are
          removed {formatPeriod(retention.requestDays)}.
        </li>
        <li>
          A request a provider took: the same details are removed {formatPeriod(retention.soldDays)}. Until
          then it's part of that provider's records.
        </li>
        <li>
          Your photos: as long as your request, or until you delete them on its page. Only our team, the
          provider who takes the job and their team can see them. If we pass your request on, the first
          provider keeps the photos they already have. A provider's photo of the work at your place is public
          only while you both agree: on the provider's page and our service pages, with your suburb.
        </li>
        <li>
          A provider's or team member's account: until the provider closes it in Settings, or they ask us to
          delete it. Then their name, contact details, bank details and saved cards are deleted straight away.
        </li>
        <li>
          A customer's account: until the customer deletes it under Your Requests, or asks us to. Then the
          account is deleted straight away, with the requests sent while signed in.
        </li>
        <li>
          A provider's insurance certificate: until it expires or we decline it. Then we delete the file and
          keep the policy number and its dates.
        </li>
        <li>
          Records of providers' payments: at least seven years, as the law requires. Once an account is
          deleted, they hold amounts, dates and numbers, but no name.
        </li>
        <li>
          Sign-ins: you're signed out after 30 days without a visit, and after 90 days either way. You can see
          your own sign-ins from the last 90 days in Settings.
        </li>
        <li>
          Our servers' logs: a week. They hold no names, phone numbers or IP addresses. Emergency copies of
          the database: 30 days.
        </li>
      </ul>
    </>
  );
}

function Rights({ contactEmail, contactPhone, legalEntity }: Facts) {
  return (
    <>
      <h2>Your rights</h2>
      <p>
        Ask us what we hold about you, or ask us to correct or delete it:{" "}
        <a href={`mailto:${contactEmail}`}>{contactEmail}</a> or <PhoneNumber typed={contactPhone} />, or by
        post to {legalEntity.address}. You don't have to wait for the periods above to end. If you're not
        happy with our answer, you can complain to the Office of the Australian Information Commissioner.
      </p>
    </>
  );
}

export default function PrivacyPage({ loaderData }: Route.ComponentProps) {
  return (
    <article className="wrap prose">
      <h1>Privacy Policy</h1>
      <LastUpdated page="/privacy-policy" />
      <p>
        We are {describeLegalEntity(loaderData.legalEntity)}, which runs Naturestrip. We handle personal
        information under the Privacy Act 1988 (Cth) and the Australian Privacy Principles. This page explains
        what that means for you.
      </p>
      <Collected />
      <Recipients {...loaderData} />
      <Programs {...loaderData} />
      <Cookies {...loaderData} />
      <Periods {...loaderData} />
      <Rights {...loaderData} />
    </article>
  );
}
