import { describeLegalEntity } from "../../contract/legal-entity.ts";
import { toPlainLine } from "../../contract/names.ts";
import type { Context } from "../platform/context.ts";
import type { Settings } from "../platform/env.ts";
import { withTimeout } from "../platform/timeout.ts";
import type { EmailContent, EmailPart } from "./message.ts";

/** One email to one recipient, as plain text and HTML. `headers`: only headers that the email service accepts. */
type Message = {
  to: string;
  subject: string;
  text: string;
  html: string;
  headers?: Record<string, string>;
};

/**
 * Returns whether this deployment can send email. It needs a sender address and either the binding or a local stand-in.
 */
export function canSendEmail(context: Context): boolean {
  const { emailFrom, messageStandIn } = context.settings;
  return emailFrom !== null && (context.EMAIL !== undefined || messageStandIn !== null);
}

/** @throws Error when the stand-in does not accept the message */
async function sendToStandIn(standIn: string, message: Message): Promise<void> {
  const response = await fetch(new URL("/emails", standIn), {
    method: "POST",
    body: JSON.stringify(message),
  });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`The stand-in answered ${response.status}`);
}

/**
 * Sends an email through Cloudflare's Email Service. Only this file uses the service.
 * @throws Error if email is not configured, on a ten-second timeout, or the service's own error
 */
export async function sendEmail(context: Context, message: Message): Promise<void> {
  const { emailFrom, messageStandIn } = context.settings;
  if (!emailFrom) throw new Error("Email is not set up");
  if (messageStandIn) return withTimeout(sendToStandIn(messageStandIn, message));
  if (!context.EMAIL) throw new Error("Email is not set up");
  await withTimeout(context.EMAIL.send({ from: { email: emailFrom, name: "Naturestrip" }, ...message }));
}

// The layout of emails, as plain functions: React components would make each sweep load React for a few lines of HTML.
// An email has one column, no pictures and no external resources, and supports dark mode.

/**
 * A rendered email, as HTML and plain text. The headers let a mail program show its own unsubscribe button (RFC 8058).
 */
type RenderedEmail = { subject: string; html: string; text: string; headers?: Record<string, string> };

/** The sender at the end of every email. The Spam Act 2003 (section 17) demands its legal name and how to reach it. */
type EmailSender = Pick<Settings, "contactPhone" | "contactEmail" | "legalEntity">;

const NAME = "Naturestrip";

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Escapes text for an HTML element or attribute. */
export const escapeHtml = (text: string) => text.replaceAll(/[&<>"']/g, (character) => ESCAPES[character]!);

/** The product's own colours. A mail program cannot read them from web/ui/tokens.css. */
const STYLES = `
body{margin:0;padding:0;background:#f5f8f0;color:#14261a}
.page{max-width:34rem;margin:0 auto;padding:24px 16px;font:16px/1.5 -apple-system,"Segoe UI",Roboto,Arial,sans-serif}
.name{font-weight:700;font-size:18px;color:#276b33;margin:0 0 16px}
.card{background:#fff;border:1px solid #d6dfd0;border-radius:12px;padding:20px 20px 4px;overflow-wrap:anywhere}
.card p,.card ul{margin:0 0 16px}
.card ul{padding-left:20px}
.foot{margin:16px 4px 0;font-size:14px;color:#48594d}
.foot a{color:inherit}
@media (prefers-color-scheme:dark){
body{background:#0e1611;color:#e9f1e7}
.name{color:#83cc85}
.card{background:#19251e;border-color:#2b3a30}
.press{background:#83cc85!important;color:#0b1f10!important}
.foot{color:#a8b8ab}
}`.replaceAll("\n", "");

/** On the link itself, because some mail programs ignore `<style>`. */
const BUTTON =
  "display:inline-block;padding:12px 20px;border-radius:8px;background:#276b33;color:#fff;font-weight:700;text-decoration:none";

/** Escapes text, and keeps phone numbers and times on one line. */
const escapeWords = (text: string) => escapeHtml(text).replaceAll(/(?<=\d) (?=\d|[ap]m\b)/g, "&nbsp;");

function htmlOf(part: EmailPart): string {
  if (typeof part === "string") return `<p>${escapeWords(part)}</p>`;
  if ("list" in part) return `<ul>${part.list.map((item) => `<li>${escapeWords(item)}</li>`).join("")}</ul>`;
  return `<p><a class="press" style="${BUTTON}" href="${escapeHtml(part.link)}">${escapeHtml(part.words)}</a></p>`;
}

function textOf(part: EmailPart): string {
  if (typeof part === "string") return part;
  return "list" in part ? part.list.map((item) => `- ${item}`).join("\n") : `${part.words}: ${part.link}`;
}

const STOP_WORDS = "Don't want these emails?";

function stopLine(stop: string | null): { html: string; text: string } {
  const tell = `${STOP_WORDS} Tell us, and we'll stop them.`;
  if (stop === null) return { html: `<p class="foot">${escapeHtml(tell)}</p>`, text: tell };
  const link = `<a href="${escapeHtml(stop)}">Stop them</a>`;
  return {
    html: `<p class="foot">${escapeHtml(STOP_WORDS)} ${link}</p>`,
    text: `${STOP_WORDS} Stop them here: ${stop}`,
  };
}

/** One-click unsubscribe: the mail program posts to the link, and the recipient opens no page. */
const oneClick = (stop: string) => ({
  "List-Unsubscribe": `<${stop}>`,
  "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
});

/** Renders an email with the sender's name at the top and contact details at the bottom. */
export function renderMail({ parts, stop, ...content }: EmailContent, sender: EmailSender): RenderedEmail {
  const subject = toPlainLine(content.subject);
  const last = stop === undefined ? null : stopLine(stop);
  const { contactPhone, contactEmail } = sender;
  const legalEntity = describeLegalEntity(sender.legalEntity);
  const html = [
    `<!doctype html><html lang="en-AU"><head><meta charset="utf-8">`,
    `<meta name="viewport" content="width=device-width,initial-scale=1">`,
    `<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">`,
    `<title>${escapeHtml(subject)}</title><style>${STYLES}</style></head>`,
    `<body><div class="page"><p class="name">${NAME}</p>`,
    `<div class="card">${parts.map(htmlOf).join("")}</div>`,
    `<p class="foot">${NAME} · ${escapeWords(contactPhone)}<br>`,
    `<a href="mailto:${escapeHtml(contactEmail)}">${escapeHtml(contactEmail)}</a><br>`,
    `${escapeWords(legalEntity)}</p>`,
    last?.html ?? "",
    `</div></body></html>`,
  ].join("");
  const foot = [`${NAME}\n${contactPhone}\n${contactEmail}\n${legalEntity}`, ...(last ? [last.text] : [])];
  const text = [...parts.map(textOf), ...foot].join("\n\n");
  return { subject, html, text, ...(stop && { headers: oneClick(stop) }) };
}
