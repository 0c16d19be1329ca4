/** Every page for visitors: the public ones with examples, and those for one person. */
import { SERVICE_LINKS } from "../../web/site/service-links.ts";

/** The public pages by route pattern, with the pages to read. */
export const PUBLIC_PAGES = {
  "/": ["/"],
  "/locations": ["/locations"],
  "/location/:suburb": ["/location/parramatta"],
  "/services": ["/services"],
  "/service/:service": SERVICE_LINKS.map(({ href }) => href),
  "/providers": ["/providers"],
  "/provider/:slug": ["/provider/claims-garden"],
  "/reviews": ["/reviews"],
  "/how-it-works": ["/how-it-works"],
  "/privacy-policy": ["/privacy-policy"],
  "/terms-conditions": ["/terms-conditions"],
  "/success": ["/success"],
  "/get-quote": ["/get-quote"],
  "/provider-signup": ["/provider-signup"],
  "/signup": ["/signup"],
  "/login": ["/login"],
  "/forgot-password": ["/forgot-password"],
  "/my-requests": ["/my-requests"],
} as const satisfies Readonly<Record<string, readonly string[]>>;
export type PublicPage = keyof typeof PUBLIC_PAGES;

/** Routes of documents for one person, behind a link or a session, and the page for unknown addresses. */
export const PRIVATE_DOCUMENTS: readonly string[] = [
  "*",
  "login/passkey",
  "reset-password/:token",
  "confirm-email/:token",
  "request/:token",
  "review/:token",
  "request/:token/change",
  "my-requests/:token",
  "stop-emails/:token",
  "choose-password",
];
