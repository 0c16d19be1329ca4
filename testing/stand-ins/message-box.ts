/**
 * Receives the product's messages on this machine instead of the real services, and stores the latest. Shows
 * each as its recipient would see it: a notification as on a phone, an email in both themes with its text
 * part.
 */
import type { SentMail } from "./mailbox.ts";
import type { PushStandIn } from "./push-stand-in.ts";
import { type SentText, SmsStandIn } from "./sms-stand-in.ts";

type ShownMessage =
  | { id: number; at: number; kind: "email"; mail: SentMail }
  | { id: number; at: number; kind: "push"; notification: Record<string, string> }
  | { id: number; at: number; kind: "text"; text: SentText };

/** The local keys for the text message gateway. */
export const LOCAL_SMS_KEYS = "local:local";
const SMS_PATH = "/sms/v1/messages";

/** Maximum number of stored messages. Older ones are in the outbox. */
const MAX_STORED = 200;
const PATH = "/dev/messages";

const ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escape = (text: string) => text.replaceAll(/[&<>"]/g, (character) => ESCAPES[character]!);

/** Links work in text messages and in the text part of emails. They do nothing in the frames. */
const linkUrls = (text: string) =>
  escape(text).replaceAll(/https?:\/\/[^\s&]+/g, (link) => `<a href="${link}">${link}</a>`);

const clock = (at: number) =>
  new Date(at).toLocaleTimeString("en-AU", { timeZone: "Australia/Sydney", hour12: false });

const STYLES = `
:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
body{margin:0 auto;padding:24px 16px;max-width:62rem}
section{border-top:1px solid light-dark(#ccc,#444);padding:16px 0}
h2{font-size:18px;margin:0}
.when{color:light-dark(#555,#aaa);margin:0 0 12px}
.pair{display:flex;flex-wrap:wrap;gap:16px}
iframe{width:360px;height:440px;max-width:100%;border:1px solid light-dark(#ccc,#444);border-radius:12px}
.light{color-scheme:light}.dark{color-scheme:dark}
.phone{width:360px;max-width:100%;box-sizing:border-box;padding:32px 12px;border-radius:24px}
.phone.light{background:#9db7a5}.phone.dark{background:#22312a}
.note{padding:12px 14px;border-radius:18px;background:light-dark(#fffffff0,#2b2f2df0);color:light-dark(#111,#eee)}
.note p{margin:0;overflow-wrap:anywhere}.app{display:flex;justify-content:space-between;font-size:13px;opacity:.75}
.title{font-weight:650}
pre{white-space:pre-wrap;overflow-wrap:anywhere;background:light-dark(#f4f4f4,#222);padding:12px;border-radius:8px}`;

function phone(
  { title = "", body = "" }: Record<string, string>,
  theme: string,
  app = "Naturestrip",
): string {
  return `<div class="phone ${theme}"><div class="note"><p class="app"><span>${app}</span><span>now</span></p>
<p class="title">${escape(title)}</p><p>${linkUrls(body)}</p></div></div>`;
}

function section(shown: ShownMessage): string {
  const themes = ["light", "dark"];
  if (shown.kind === "push") {
    const { navigate = "" } = shown.notification;
    return `<section><h2>Notification</h2><p class="when">${clock(shown.at)} · opens <a href="${escape(navigate)}">${escape(navigate)}</a></p>
<div class="pair">${themes.map((theme) => phone(shown.notification, theme)).join("")}</div></section>`;
  }
  if (shown.kind === "text") {
    const { to, sender, message } = shown.text;
    return `<section><h2>Text message</h2><p class="when">${clock(shown.at)} · text to ${escape(to)} · ${[...message].length} of 160 characters</p>
<div class="pair">${themes.map((theme) => phone({ title: sender, body: message }, theme, "Messages")).join("")}</div>
<form method="post" action="${PATH}/${shown.id}/reply"><label>Answer as the visitor <input name="message" required maxlength="1600" size="40"></label> <button>Send</button></form></section>`;
  }
  const { to, subject, text, headers = {} } = shown.mail;
  const stop = "List-Unsubscribe" in headers ? " · mail programs show a button to stop these" : "";
  const frames = themes.map(
    (theme) =>
      `<iframe class="${theme}" sandbox="" title="${escape(subject)}, ${theme}" src="${PATH}/${shown.id}?theme=${theme}"></iframe>`,
  );
  return `<section><h2>${escape(subject)}</h2><p class="when">${clock(shown.at)} · email to ${escape(to)}${stop}</p>
<div class="pair">${frames.join("")}</div><details open><summary>Text part</summary><pre>${linkUrls(text)}</pre></details></section>`;
}

const html = (text: string) =>
  new Response(text, { headers: { "Content-Type": "text/html; charset=utf-8" } });

export class MessageBox {
  readonly #kept: ShownMessage[] = [];
  readonly #push: PushStandIn;
  readonly #sms = new SmsStandIn(LOCAL_SMS_KEYS);
  readonly #answer: (word: object) => Promise<unknown>;
  #last = 0;

  /**
   * @param push receives the notifications, and decrypts those for browsers that it created
   * @param sendReply sends the product the gateway's webhook about a reply to a text
   */
  constructor(push: PushStandIn, sendReply: (word: object) => Promise<unknown> = async () => {}) {
    this.#push = push;
    this.#answer = sendReply;
  }

  #keep(
    shown:
      | Omit<Extract<ShownMessage, { kind: "email" }>, "id" | "at">
      | Omit<Extract<ShownMessage, { kind: "push" }>, "id" | "at">
      | Omit<Extract<ShownMessage, { kind: "text" }>, "id" | "at">,
  ): void {
    this.#last += 1;
    this.#kept.unshift({ id: this.#last, at: Date.now(), ...shown });
    this.#kept.splice(MAX_STORED);
  }

  /** Receives a message, or shows the received ones. */
  async fetch(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === PATH) return html(this.#page());
    if (request.method === "POST" && pathname.startsWith(`${PATH}/`)) return this.#reply(request);
    if (pathname.startsWith(`${PATH}/`))
      return this.#email(Number(pathname.slice(PATH.length + 1)), searchParams.get("theme"));
    if (pathname === "/emails" && request.method === "POST") {
      this.#keep({ kind: "email", mail: (await request.json()) as SentMail });
      return new Response(null, { status: 202 });
    }
    if (pathname === SMS_PATH) return this.#text(request);
    const before = this.#push.delivered.length;
    const response = await this.#push.fetch(request);
    for (const { data } of this.#push.delivered.slice(before))
      this.#keep({ kind: "push", notification: data.notification });
    return response;
  }

  async #text(request: Request): Promise<Response> {
    const before = this.#sms.sent.length;
    const response = await this.#sms.fetch(request);
    for (const text of this.#sms.sent.slice(before)) this.#keep({ kind: "text", text });
    return response;
  }

  /** Sends the product a reply from a text's recipient, as the gateway's documentation describes it. */
  async #reply(request: Request): Promise<Response> {
    const id = Number(new URL(request.url).pathname.split("/").at(-2));
    const shown = this.#kept.find((one) => one.id === id);
    if (shown?.kind !== "text") return new Response("Gone", { status: 404 });
    const message = String((await request.formData()).get("message") ?? "");
    const { to, sender, custom_ref } = shown.text;
    await this.#answer({
      to: sender,
      sender: to,
      message,
      received_at: new Date().toISOString().slice(0, 19).replace("T", " "),
      type: "inbound",
      original_message_id: "",
      original_custom_ref: custom_ref,
    });
    return new Response(null, { status: 303, headers: { Location: PATH } });
  }

  #page(): string {
    const all = this.#kept.map(section).join("");
    const none = "<p>Nothing has gone out yet. Ask for a quote with an email address, and look again.</p>";
    return `<!doctype html><html lang="en-AU"><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>What went out</title><style>${STYLES}</style><body><h1>What went out</h1>
<p>On this machine nothing leaves it: emails, text messages, and the notifications of the demo provider's phone, end here. Newest first.
<a href="${PATH}">Look again</a></p>${all || none}</body></html>`;
  }

  /**
   * Renders an email as a mail program does in that theme. A frame inherits its page's theme, whatever its
   * own settings.
   */
  #email(id: number, theme: string | null): Response {
    const shown = this.#kept.find((one) => one.id === id);
    if (shown?.kind !== "email") return new Response("Gone", { status: 404 });
    const media = theme === "dark" ? "@media all" : "@media not all";
    return html(shown.mail.html.replaceAll("@media (prefers-color-scheme:dark)", media));
  }
}
