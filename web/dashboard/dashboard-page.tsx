import { data } from "react-router";

import type { Home } from "../../contract/account.ts";
import { AccessRequired } from "../auth/access-required.tsx";
import { fetchCurrentUser, useCurrentUser } from "../auth/current-user.ts";
import { type ApiClient, unwrap } from "../lib/api.ts";
import { apiContext, requestContext } from "../lib/server-context.ts";
import { filterQuery, parsePipelineUrl } from "../pipeline/pipeline-url.ts";
import type { Route } from "./+types/dashboard-page.ts";
import { Dashboard } from "./dashboard.tsx";
import { loadForServerRender } from "./lazy-parts.ts";
import { fetchOwnCustomers, type FirstOwnCustomers } from "../market/own-customers.tsx";
import { fetchLeads, type LeadPage } from "../market/market-store.ts";

const NO_LEADS: LeadPage = { leads: [], cursor: null };

/** Returns a list, or null if it fails to load. The browser retries and reports a second failure. */
async function listOrNull<T>(list: Promise<T>): Promise<T | null> {
  try {
    return await list;
  } catch {
    return null;
  }
}

/** Returns the business's location; null if unknown. Without it, leads show no distance. */
async function homeOf(api: ApiClient): Promise<Home | null> {
  const answer = await listOrNull(unwrap(api.api.user.home.$get()));
  return answer?.home ?? null;
}

function firstLeads(api: ApiClient, watched: readonly string[]): Promise<LeadPage | null> {
  return watched.length === 0 ? Promise.resolve(NO_LEADS) : listOrNull(fetchLeads(api, watched));
}

async function firstOwnCustomers(api: ApiClient, { leads }: LeadPage): Promise<FirstOwnCustomers> {
  const asked = leads.map(({ id }) => id);
  return { asked, own: await fetchOwnCustomers(api, asked) };
}

/** Number of purchases that fill the tallest screen. The browser fetches the others. */
const FIRST_PURCHASES = "30";

/** Fetches the first page of purchases for the URL's filter. */
function firstPurchases(api: ApiClient, params: URLSearchParams) {
  const query = { ...filterQuery(parsePipelineUrl(params).filter), limit: FIRST_PURCHASES };
  return unwrap(api.api.pipeline.$get({ query }));
}

export async function loader({ context, request }: Route.LoaderArgs) {
  const api = context.get(apiContext);
  const { payments } = context.get(requestContext);
  const user = await fetchCurrentUser(api);
  if (!user?.businessId) {
    return data(
      { user, payments, leads: null, purchases: null, home: null, ownCustomers: null },
      { status: user ? 403 : 401 },
    );
  }
  const params = new URL(request.url).searchParams;
  const { view, tile } = parsePipelineUrl(params);
  const [[leads, ownCustomers], purchases, home] = await Promise.all([
    firstLeads(api, user.watchedRegions).then(
      async (page) => [page, page && (await listOrNull(firstOwnCustomers(api, page)))] as const,
    ),
    listOrNull(firstPurchases(api, params)),
    homeOf(api),
    loadForServerRender(view !== "list" || tile !== null),
  ]);
  return data({ user, payments, leads, purchases, home, ownCustomers });
}

/** Reloads the data only for another path. Tab and filter are in the URL but change nothing on the server. */
export function shouldRevalidate({ currentUrl, nextUrl }: { currentUrl: URL; nextUrl: URL }) {
  return currentUrl.pathname !== nextUrl.pathname;
}

export function meta({ loaderData }: Route.MetaArgs) {
  const title = loaderData?.user?.userType === "team_member" ? "CRM Dashboard" : "Lead Dashboard";
  return [{ title: `${title} | Naturestrip` }, { name: "robots", content: "noindex" }];
}

export default function DashboardPage({ loaderData }: Route.ComponentProps) {
  const user = useCurrentUser(loaderData.user);
  if (!user?.businessId) return <AccessRequired isSignedIn={user !== null} />;
  return (
    <Dashboard
      payments={loaderData.payments}
      firstLeads={loaderData.leads}
      firstPurchases={loaderData.purchases}
      firstOwnCustomers={loaderData.ownCustomers}
      home={loaderData.home}
    />
  );
}
