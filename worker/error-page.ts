/** The error page. It has only plain text and links, so that it cannot fail itself. */
import { telHref } from "../contract/phone.ts";
import type { Bindings } from "./platform/env.ts";
import { escapeHtml } from "./outbox/email.ts";

/** The colours of web/ui/tokens.css, repeated because this page is not part of the web build. */
const STYLES = `
:root{color-scheme:light dark}
body{margin:0;background:light-dark(#f5f8f0,#0e1611);color:light-dark(#14261a,#e9f1e7);font:1.0625rem/1.6 system-ui,sans-serif}
main{max-width:34rem;margin:0 auto;padding:12vh 1.25rem 2rem;overflow-wrap:anywhere}
h1{font-size:1.75rem;line-height:1.2;margin:.5rem 0 1rem}
.name{font-weight:700;color:light-dark(#276b33,#83cc85)}
.ways{display:flex;flex-wrap:wrap;gap:.75rem;margin:1.5rem 0}
.ways a{display:inline-flex;align-items:center;min-height:2.75rem;padding:0 1.25rem;border:1px solid light-dark(#7d8f80,#6d8072);border-radius:.5rem;color:inherit;font-weight:700;text-decoration:none}
.ways .main{background:light-dark(#276b33,#83cc85);border-color:transparent;color:light-dark(#fff,#0b1f10)}
a{color:inherit}
.small{font-size:.875rem;color:light-dark(#48594d,#a8b8ab)}`.replaceAll("\n", "");

const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'";

/** Returns whether a browser is requesting a page to display, rather than an API client, a picture or page data. */
export const wantsPage = ({ headers }: Request) => headers.get("Accept")?.includes("text/html") === true;

/**
 * Returns whether to replace a response with the error page. A response to a form stays, because the page shows the
 * input and the reason.
 */
export function isServerError({ method }: Request, { status, headers }: Response): boolean {
  const isForm = method === "POST" && headers.get("Content-Type")?.startsWith("text/html");
  return status >= 500 && !isForm;
}

type PageLink = { href: string; label: string; isMain?: boolean };

type Page = { title: string; parts: readonly string[]; pageLinks: readonly PageLink[]; foot?: string };

function renderPage({ title, parts, pageLinks, foot = "" }: Page): string {
  const links = pageLinks.map(
    ({ href, label, isMain }) =>
      `<a href="${escapeHtml(href)}"${isMain ? ' class="main"' : ""}>${escapeHtml(label)}</a>`,
  );
  return [
    `<!doctype html><html lang="en-AU"><head><meta charset="utf-8">`,
    `<meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex">`,
    `<title>${escapeHtml(title)} · Naturestrip</title><style>${STYLES}</style></head>`,
    `<body><main><p class="name">Naturestrip</p><h1>${escapeHtml(title)}</h1>`,
    ...parts,
    `<p class="ways">${links.join("")}</p><p class="small">${escapeHtml(foot)}</p></main></body></html>`,
  ].join("");
}

const HOME: PageLink = { href: "/", label: "Back to the home page" };

/** Returns the page for server errors. Reads only the phone number, because invalid settings may be the cause. */
function serverErrorPage({ method, url }: Request, phone: unknown, requestId: string): string {
  const { pathname, search } = new URL(url);
  const isReading = method === "GET" || method === "HEAD";
  const isApp = pathname.startsWith("/dashboard");
  const call =
    typeof phone === "string" && phone !== ""
      ? `<p>In a hurry? Call us on <a href="${escapeHtml(telHref(phone) ?? "")}">${escapeHtml(phone)}</a>.</p>`
      : "";
  return renderPage({
    title: "Something went wrong",
    parts: [
      isReading
        ? "<p>The problem is at our end, not yours. Please try again in a minute.</p>"
        : "<p>The problem is at our end, not yours, and what you sent may not have reached us. Please go back and send it again in a minute.</p>",
      call,
    ],
    pageLinks: [
      // Reduce leading slashes to one, because "//" would start a host.
      ...(isReading
        ? [{ href: pathname.replace(/^\/+/, "/") + search, label: "Try again", isMain: true }]
        : []),
      ...(isApp ? [{ href: `/dashboard/offline${search}`, label: "Leads on this device" }] : []),
      ...(isApp ? [] : [HOME]),
    ],
    // The first characters are enough to search the log.
    foot: `Reference: ${requestId.slice(0, 8)}`,
  });
}

/**
 * Returns the page that replaces an error response in a browser. After a server error it suggests what to do. After a
 * rejected request it shows the reason.
 * @param response the response for an API client; the page keeps its status and `Retry-After`
 * @param refusal the reason for the rejection; null for a server error
 */
export async function errorPage(
  request: Request,
  context: Partial<Bindings>,
  { response, refusal, requestId }: { response: Response; refusal: string | null; requestId: string },
): Promise<Response> {
  await response.body?.cancel();
  const { status, headers } = response;
  const html =
    status < 500
      ? renderPage({
          title: "That didn't work",
          parts: [`<p>${escapeHtml(refusal ?? "We couldn't process that request.")}</p>`],
          pageLinks: [HOME],
        })
      : serverErrorPage(request, context.CONTACT_PHONE, requestId);
  const retryAfter = headers.get("Retry-After");
  return new Response(request.method === "HEAD" ? null : html, {
    status,
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": POLICY,
      "Cache-Control": "no-store",
      ...(retryAfter !== null && { "Retry-After": retryAfter }),
    },
  });
}
