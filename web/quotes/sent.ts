import { INSPECTION_IDS, type InspectionId, SERVICE_IDS, type ServiceId } from "../../contract/catalogue.ts";

/** What the thank-you page repeats of a request: what a visitor can check, and nothing more. */
export type Sent = {
  phone: string;
  services: (ServiceId | InspectionId)[];
  place: string | null;
  /** Of the lead it became, or of an inspection's booking. */
  reference: string | null;
};

/**
 * It travels in a cookie that only the thank-you page is sent, so neither an address nor another page ever has it.
 * Long enough to write down a reference or load the page again.
 */
const COOKIE = "sent";
const LIFETIME_SECONDS = 30 * 60;

const KNOWN: ReadonlySet<string> = new Set([...SERVICE_IDS, ...INSPECTION_IDS]);
const isService = (id: unknown): id is ServiceId | InspectionId => typeof id === "string" && KNOWN.has(id);

/** A text of at most so many signs; null for anything else. */
function textOf(value: unknown, max: number): string | null {
  return typeof value === "string" && value.trim() !== "" ? value.trim().slice(0, max) : null;
}

/** Whatever came out of a form or a cookie, as far as it is what we repeat; null without a number. */
function sentFrom(given: Record<string, unknown>): Sent | null {
  const phone = textOf(given.phone, 40);
  if (!phone) return null;
  const services = [given.services].flat().filter(isService);
  return { phone, services, place: textOf(given.place, 80), reference: textOf(given.reference, 12) };
}

/**
 * The cookie that lets the thank-you page repeat a request; a Set-Cookie header or a `document.cookie` text.
 * @param request what was sent to the API, of any of our forms
 * @param answer what the API said
 * @param secure whether the site is served over https
 * @returns null when there is nothing to repeat
 */
export function sentCookie(request: object, answer: unknown, secure: boolean): string | null {
  const { customerPhone, phone, serviceType } = request as Record<string, unknown>;
  const { reference, suburbName } = Object(answer) as Record<string, unknown>;
  const sent = sentFrom({
    phone: customerPhone ?? phone,
    services: serviceType,
    place: suburbName,
    reference,
  });
  if (!sent) return null;
  const value = encodeURIComponent(JSON.stringify(sent));
  return `${COOKIE}=${value}; Path=/success; Max-Age=${LIFETIME_SECONDS}; SameSite=Lax${secure ? "; Secure" : ""}`;
}

/** What a Cookie header repeats; null when there is nothing that we would have written. */
export function readSent(cookies: string | null): Sent | null {
  const value = /(?:^|;\s*)sent=([^;]+)/.exec(cookies ?? "")?.[1];
  try {
    return value ? sentFrom(Object(JSON.parse(decodeURIComponent(value))) as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
