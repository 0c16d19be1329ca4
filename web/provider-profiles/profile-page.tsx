import { data } from "react-router";

import { serviceName } from "../../contract/catalogue.ts";
import { formatMean, REVIEWS_PER_PAGE } from "../../contract/reviews.ts";
import { PAGE_REPORTS, pageReportSchema, type ProviderProfile } from "../../contract/profiles.ts";
import { joinServices } from "../../contract/service-list.ts";
import checkStyles from "../checks/shown-checks.css?inline";
import type { DocumentHandle } from "../documents/document-handle.ts";
import { ApiError, messageOf, unwrap } from "../lib/api.ts";
import { checkForm } from "../lib/check-form.ts";
import { apiContext } from "../lib/server-context.ts";
import photoStyles from "../photos/photo-tile.css?inline";
import reviewStyles from "../reviews/reviews.css?inline";
import { cutText, DESCRIPTION_MAX, getCanonicalUrl, pageMeta, TITLE_MAX } from "../site/page-meta.ts";
import type { Route } from "./+types/profile-page.ts";
import AreaMap from "./area-map.tsx";
import { profileData } from "./profile-data.ts";
import { ProfileView } from "./profile-view.tsx";
import logoStyles from "./logo.css?inline";
import styles from "./profile.css?inline";

export const handle: DocumentHandle = {
  sheet: "lean",
  styles: import.meta.env.SSR
    ? () => checkStyles + reviewStyles + photoStyles + logoStyles + styles
    : undefined,
};

export async function loader({ params: { slug }, request, context }: Route.LoaderArgs) {
  const page = new URL(request.url).searchParams.get("page") ?? "1";
  const canonical = getCanonicalUrl(request);
  try {
    const query = { slug, page: /^[1-9]\d{0,2}$/.test(page) ? page : "1" };
    const profile = await unwrap(
      context.get(apiContext).api.profiles[":slug"].$get({ param: { slug }, query: { page: query.page } }),
    );
    return { profile, page: Number(query.page), canonical };
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error;
    return data({ profile: null, page: 1, canonical }, { status: 404 });
  }
}

/** Reports the page to super admins, for the reason on the pressed button. */
export async function action({ params: { slug }, request, context }: Route.ActionArgs) {
  const checked = checkForm(pageReportSchema, { reason: (await request.formData()).get("reason") });
  if (!checked.values) return data({ isReported: false, failure: checked.errors.reason ?? null }, 400);
  try {
    const api = context.get(apiContext).api.profiles[":slug"].report;
    await unwrap(api.$post({ param: { slug }, json: checked.values }));
    return data({ isReported: true, failure: null });
  } catch (error) {
    const failure = messageOf(error, "That didn’t work. Please try again.");
    return data({ isReported: false, failure }, error instanceof ApiError ? error.status : 500);
  }
}

/** Returns the longest title that fits: with the first service and the place, with the place, or a part of the name. */
function chooseTitle({ name, services, suburb }: ProviderProfile): string {
  const place = suburb ? ` in ${suburb.name}` : "";
  const offer = services.slice(0, 1).map((id) => `, ${serviceName(id).toLowerCase()}`);
  const titles = [...offer, ""].map((part) => `${name}${part}${place}`);
  return titles.find(({ length }) => length <= TITLE_MAX) ?? cutText(name, TITLE_MAX);
}

/** Returns a description: the rating and the business's own words, or its services. */
function describe({ name, services, reviews, words }: ProviderProfile): string {
  const rating = reviews.mean === null ? "" : `${formatMean(reviews)}. `;
  return cutText(
    rating + (words || `${joinServices(services.map(serviceName))} by ${name}.`),
    DESCRIPTION_MAX,
  );
}

export function meta({ loaderData }: Route.MetaArgs) {
  const profile = loaderData?.profile;
  if (!profile)
    return pageMeta({
      title: "Business not found",
      description:
        "There’s no page for this business here. You can still ask for a quote from a local provider.",
    });
  return [
    ...pageMeta({
      title: chooseTitle(profile),
      description: describe(profile),
      canonical: loaderData.canonical,
      picture: {
        path: `/og/provider-${profile.slug}.png`,
        alt: `${profile.name}: lawn and garden care, with a drawing of the work`,
      },
    }),
    ...profileData(profile, loaderData.canonical),
  ];
}

/** Links to newer and older reviews. */
function Pages({ page, count }: { page: number; count: number }) {
  const hasOlder = page * REVIEWS_PER_PAGE < count;
  if (page === 1 && !hasOlder) return null;
  return (
    <nav className="profile__pages" aria-label="More reviews">
      {page > 1 && (
        <a className="button button--quiet" href={`?page=${page - 1}#reviews`}>
          Newer reviews
        </a>
      )}
      {hasOlder && (
        <a className="button button--quiet" href={`?page=${page + 1}#reviews`}>
          Older reviews
        </a>
      )}
    </nav>
  );
}

/** The form that reports the page. Each reason is a button. */
function Report({ isReported = false, failure = null }: { isReported?: boolean; failure?: string | null }) {
  if (isReported) return <output className="profile__note">Thank you. We’ll look at this page.</output>;
  return (
    <details className="profile__note" open={failure !== null}>
      <summary>Report this page</summary>
      {failure && <p role="alert">{failure}</p>}
      <form method="post" className="actions">
        {Object.entries(PAGE_REPORTS).map(([reason, label]) => (
          <button key={reason} className="button button--quiet" type="submit" name="reason" value={reason}>
            {label}
          </button>
        ))}
      </form>
    </details>
  );
}

export default function ProfilePage({ loaderData: { profile, page }, actionData }: Route.ComponentProps) {
  if (!profile) {
    return (
      <div className="wrap profile">
        <h1>Business not found</h1>
        <p className="intro">
          This page is gone, or it has never been here. You can still ask for a quote, and a local provider
          will call you.
        </p>
        <p className="actions">
          <a className="button button--main button--large" href="/get-quote">
            Get Free Quote
          </a>
        </p>
      </div>
    );
  }
  const quote = new URLSearchParams(profile.services.slice(0, 1).map((service) => ["service", service]));
  return (
    <div className="wrap">
      <ProfileView
        profile={profile}
        map={<AreaMap councils={profile.councils} name={profile.name} />}
        action={
          <div className="profile__action">
            <a className="button button--main button--large" href={`/get-quote?${quote}`}>
              Get Free Quote
            </a>
            <p className="profile__note">
              One local provider takes your request and calls you. It may not be {profile.name}.
            </p>
          </div>
        }
        pages={<Pages page={page} count={profile.reviews.shown} />}
      />
      <Report {...actionData} />
    </div>
  );
}
