/**
 * Every API route: who gets what, a body that it accepts and bodies that it refuses. The tests of rights, of bad input
 * and of query plans read it, and so does the attack. They fail if a route is missing.
 */
import { ADMIN_ROUTES } from "./admin.ts";
import { IDENTITY_ROUTES } from "./identity.ts";
import { MARKET_ROUTES } from "./market.ts";
import { PIPELINE_ROUTES } from "./pipeline.ts";
import type { ApiRoute, RouteTable } from "./route.ts";
import { VISITOR_ROUTES } from "./visitors.ts";

export const API_ROUTES: RouteTable = {
  ...VISITOR_ROUTES,
  ...IDENTITY_ROUTES,
  ...MARKET_ROUTES,
  ...PIPELINE_ROUTES,
  ...ADMIN_ROUTES,
};

/** Returns the entry of a route, such as "POST /api/leads". */
export function routeOf(route: string): ApiRoute {
  const entry = API_ROUTES[route];
  if (!entry) throw new Error(`${route} is missing from testing/routes.`);
  return entry;
}

/** Returns a body that a route accepts. @throws Error if the route reads none */
export function bodyFor(route: string): Record<string, unknown> {
  const { body } = routeOf(route);
  if (!body) throw new Error(`${route} reads no body.`);
  return body();
}

/**
 * What a path's ID names, by a part of the path. The first match wins. Other paths name a lead. `claims` are leads that
 * anyone may claim.
 */
const ID_KINDS = [
  ["claim-with-credit", "claims"],
  ["/holds/", "holds"],
  ["/cards/", "cards"],
  ["/devices/", "devices"],
  ["receipts/", "payments"],
  ["payments/", "payments"],
  ["team-members/", "users"],
  ["super-admin/providers/", "users"],
  ["sessions/", "sessions"],
  ["suburbs/:id", "suburbs"],
  ["bookings/", "bookings"],
  ["passkeys/", "passkeys"],
  ["provider-notes/", "notes"],
  ["messages/channels/", "channels"],
  ["messages/:id", "messages"],
  ["regions/", "regions"],
  ["bad-leads/", "badLeads"],
  ["checks/:id", "checks"],
  ["reviews/:id", "reviews"],
  ["lead-purchases/", "purchases"],
  ["photos/purchases/", "purchases"],
  ["photos/:id", "photos"],
  ["super-admin/guarantee/", "purchases"],
] as const;

export type IdKind = (typeof ID_KINDS)[number][1] | "leads";

/** Returns what a path's `:id` names. */
export const idKindOf = (path: string): IdKind =>
  ID_KINDS.find(([part]) => path.includes(part))?.[1] ?? "leads";

/** IDs in the right form of rows that do not exist. A region and a channel exist, because lists name them. */
export const UNKNOWN_IDS: Readonly<Record<IdKind, string>> = {
  leads: "lead_inner-west_00000000000000000000",
  claims: "lead_inner-west_00000000000000000000",
  purchases: "pur_00000000000000000000",
  holds: "hold_00000000000000000000",
  cards: "pm_0000000000",
  devices: "psh_00000000000000000000",
  payments: "pay_00000000000000000000",
  users: "user_00000000000000000000",
  sessions: "ses_00000000000000000000",
  suburbs: "sub_manly",
  bookings: "bkg_00000000000000000000",
  passkeys: "key_00000000000000000000",
  notes: "note_00000000000000000000",
  channels: "push",
  messages: "msg_00000000000000000000",
  regions: "inner-west",
  badLeads: "bad_00000000000000000000",
  checks: "chk_00000000000000000000",
  reviews: "rev_00000000000000000000",
  photos: "pho_00000000000000000000",
};

/** Values of parameters that are not IDs. */
const PARAMETERS: Readonly<Record<string, string>> = {
  ":region": "inner-west",
  ":name": "leichhardt",
  ":slug": "leichhardt",
  ":service": "lawn_mowing",
  ":size": "small",
};

const NEEDS_TOKEN = new Set(["GET /api/requests", "GET /api/reviews", "GET /api/email-stops"]);

/**
 * Returns the URL of a route.
 *
 * @param id the value of `:id`
 * @param others the values of `:leadId` and `:providerId`
 */
export function fillPath(
  route: string,
  id: string,
  others: { leadId: string; providerId: string } = {
    leadId: UNKNOWN_IDS.leads,
    providerId: UNKNOWN_IDS.users,
  },
): string {
  const path = route.slice(route.indexOf(" ") + 1);
  const filled = path
    .split("/")
    .map((part) => {
      if (part === ":id") return id;
      if (part === ":leadId") return others.leadId;
      if (part === ":providerId") return others.providerId;
      if (part === ":kind") return path.includes("purchases") ? "after" : "logo";
      return PARAMETERS[part] ?? part;
    })
    .join("/");
  if (NEEDS_TOKEN.has(route)) return `${filled}?token=made-up`;
  return /\/auth\/(password|email)-link$/.test(path) ? `${filled}?token=${"t".repeat(43)}` : filled;
}
