import { MAX_REQUEST_TOKEN_LENGTH } from "../../contract/request-links.ts";
import { INSPECTION_IDS, type InspectionId, SERVICE_IDS, type ServiceId } from "../../contract/catalogue.ts";

/** The details of a request that the thank-you page shows, for the visitor to check. */
export type Sent = {
  phone: string;
  services: (ServiceId | InspectionId)[];
  place: string | null;
  /** The reference of the lead or of the inspection's booking. */
  reference: string | null;
  /** The secret of the link to the request's page; null for an inspection. */
  token: string | null;
};

/**
 * Name of the details' cookie. Browsers send it only to the thank-you page, so the details appear in no URL and on no
 * other page. It lasts long enough to write down the reference or reload the page.
 */
const COOKIE = "sent";
const LIFETIME_SECONDS = 30 * 60;

const KNOWN_SERVICES: ReadonlySet<string> = new Set([...SERVICE_IDS, ...INSPECTION_IDS]);
const isService = (id: unknown): id is ServiceId | InspectionId =>
  typeof id === "string" && KNOWN_SERVICES.has(id);

/** Returns trimmed text, truncated to a maximum length; null for other values. */
function textOf(value: unknown, max: number): string | null {
  return typeof value === "string" && value.trim() !== "" ? value.trim().slice(0, max) : null;
}

/** Reads the details from a request or a cookie; null without a phone number. */
function sentFrom(given: Record<string, unknown>): Sent | null {
  const phone = textOf(given.phone, 40);
  if (!phone) return null;
  const services = [given.services].flat().filter(isService);
  return {
    phone,
    services,
    place: textOf(given.place, 80),
    reference: textOf(given.reference, 12),
    token: textOf(given.token, MAX_REQUEST_TOKEN_LENGTH),
  };
}

/**
 * Returns the Set-Cookie header for the thank-you page.
 * @param request the request sent to the API, from any of our forms
 * @param answer the API's response
 * @param secure whether the site uses https
 * @returns null without details to show
 */
export function buildSentCookie(request: object, answer: unknown, secure: boolean): string | null {
  const { customerPhone, phone, serviceType } = request as Record<string, unknown>;
  const { reference, suburbName, token } = Object(answer) as Record<string, unknown>;
  const sent = sentFrom({
    phone: customerPhone ?? phone,
    services: serviceType,
    place: suburbName,
    reference,
    token,
  });
  if (!sent) return null;
  const value = encodeURIComponent(JSON.stringify(sent));
  return `${COOKIE}=${value}; Path=/success; Max-Age=${LIFETIME_SECONDS}; SameSite=Lax${secure ? "; Secure" : ""}`;
}

/** Reads the details from a Cookie header; null without a cookie that we wrote. */
export function readSentRequest(cookies: string | null): Sent | null {
  const value = /(?:^|;\s*)sent=([^;]+)/.exec(cookies ?? "")?.[1];
  try {
    return value ? sentFrom(Object(JSON.parse(decodeURIComponent(value))) as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
