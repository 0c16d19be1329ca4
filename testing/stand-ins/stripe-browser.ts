/**
 * A stand-in for Stripe.js, which stripe-server.ts serves to browsers. It has a look-alike of the Payment
 * Element for cards, and an Express Checkout Element for windows with a wallet or Link. `walletCard` and
 * `linkCard` are the numbers of the cards in each. It also has `confirmPayment`, and `handleNextAction` with
 * a 3-D Secure window. Runs as a classic script, with its types removed. Where the real Stripe.js has frames,
 * this one has shadow roots.
 */
import type {
  Appearance,
  ConfirmPaymentData,
  PaymentIntent,
  StripeElementsOptionsClientSecret,
  StripeError,
  StripeExpressCheckoutElementOptions,
} from "@stripe/stripe-js";

type Result = { paymentIntent: PaymentIntent; error?: never } | { paymentIntent?: never; error: StripeError };
type Listener = (event?: unknown) => void;

const home = new URL((document.currentScript as HTMLScriptElement).src).origin;

function failure(type: StripeError["type"], code: string, message: string): { error: StripeError } {
  return { error: { type, code, message } };
}

async function callServer(path: string, form?: Record<string, string>): Promise<Result> {
  try {
    const response = await fetch(
      `${home}${path}`,
      form && { method: "POST", body: new URLSearchParams(form) },
    );
    const body = (await response.json()) as { error?: StripeError };
    return response.ok ? { paymentIntent: body as unknown as PaymentIntent } : { error: body.error! };
  } catch {
    return failure("api_connection_error", "unreachable", "We could not reach the card service.");
  }
}

const idOf = (clientSecret: string) => clientSecret.split("_secret")[0]!;
const read = (secret: string) =>
  callServer(`/v1/payment_intents/${idOf(secret)}?client_secret=${encodeURIComponent(secret)}`);

/** Returns a host with a shadow root, so that the page's styles do not apply inside. */
function shadowHost(sheet: CSSStyleSheet, html: string): { host: HTMLDivElement; root: ShadowRoot } {
  const host = document.createElement("div");
  const root = host.attachShadow({ mode: "open" });
  root.innerHTML = html;
  root.adoptedStyleSheets = [sheet];
  return { host, root };
}

const FIELDS = `
  <div class="card">
    <label>Card number<input name="number" inputmode="numeric" autocomplete="cc-number" placeholder="1234 1234 1234 1234"></label>
    <label>Expiration date<input name="expiry" inputmode="numeric" autocomplete="cc-exp" placeholder="MM / YY"></label>
    <label>Security code<input name="cvc" inputmode="numeric" autocomplete="cc-csc" placeholder="CVC"></label>
    <p class="error" role="alert"></p>
  </div>`;

function fieldsCss({ variables = {} }: Appearance): string {
  return `
    .card { display: grid; grid-template-columns: 1fr 1fr; gap: 12px; font: 15px ${variables.fontFamily ?? "sans-serif"}; color: ${variables.colorText}; }
    label { display: grid; gap: 4px; font-size: 14px; }
    label:first-child, .error { grid-column: 1 / -1; }
    input { min-height: 44px; min-width: 0; padding: 0 12px; border: 1px solid ${variables.colorTextPlaceholder}; border-radius: ${variables.borderRadius}; background: ${variables.colorBackground}; color: inherit; font: inherit; font-size: 16px; }
    input::placeholder { color: ${variables.colorTextPlaceholder}; opacity: 1; }
    input:focus-visible { outline: 3px solid ${variables.colorPrimary}; outline-offset: 1px; }
    .error { margin: 0; color: ${variables.colorDanger}; }
    .error:empty { display: none; }`;
}

/** Base of all elements. A page listens to their events by name. */
class StandInElement {
  readonly #listeners = new Map<string, Set<Listener>>();
  readonly #elementType: string;

  constructor(elementType: string) {
    this.#elementType = elementType;
  }

  emit(name: string, event: object = {}): void {
    for (const listener of this.#listeners.get(name) ?? [])
      listener({ elementType: this.#elementType, ...event });
  }

  on(name: string, listener: Listener): this {
    this.#listeners.set(name, (this.#listeners.get(name) ?? new Set()).add(listener));
    return this;
  }

  off(name: string, listener: Listener): this {
    this.#listeners.get(name)?.delete(listener);
    return this;
  }

  update(): this {
    return this;
  }
}

class PaymentElement extends StandInElement {
  readonly #sheet = new CSSStyleSheet();
  #root: ShadowRoot | null = null;
  #host: HTMLDivElement | null = null;

  readonly #clientSecret: string;

  constructor(clientSecret: string, appearance: Appearance) {
    super("payment");
    this.#clientSecret = clientSecret;
    this.restyle(appearance);
  }

  restyle(appearance: Appearance): void {
    this.#sheet.replaceSync(fieldsCss(appearance));
  }

  mount(node: HTMLElement): void {
    const { host, root } = shadowHost(this.#sheet, FIELDS);
    root.addEventListener("keydown", (event) => {
      if ((event as KeyboardEvent).key === "Escape") this.emit("escape");
    });
    this.#host = host;
    this.#root = root;
    node.appendChild(host);
    void this.#load();
  }

  /** Loads the payment methods. Without a response there are no fields. */
  async #load(): Promise<void> {
    const { error } = await read(this.#clientSecret);
    if (!error) return this.emit("ready");
    this.unmount();
    this.emit("loaderror", { error });
  }

  focus(): void {
    this.#root?.querySelector("input")?.focus();
  }

  unmount(): void {
    this.#host?.remove();
  }

  destroy(): void {
    this.unmount();
  }

  /** Returns the typed card, or the error to show beside the fields if the card is invalid. */
  read(): { number: string; month: string; year: string } | { error: StripeError } {
    const value = (name: string) =>
      this.#root!.querySelector<HTMLInputElement>(`[name="${name}"]`)!.value.trim();
    const number = value("number").replaceAll(/\s/g, "");
    const expiry = /^(\d{2})\s*\/?\s*(\d{2})$/.exec(value("expiry"));
    const wrong =
      number.length < 15
        ? "Your card number is incomplete."
        : !expiry
          ? "Your card's expiration date is incomplete."
          : /^\d{3,4}$/.test(value("cvc"))
            ? ""
            : "Your card's security code is incomplete.";
    this.#root!.querySelector(".error")!.textContent = wrong;
    if (wrong) {
      this.focus();
      return failure("validation_error", "incomplete_card", wrong);
    }
    return { number, month: expiry![1]!, year: `20${expiry![2]!}` };
  }
}

/**
 * The numbers of the cards in this window's wallet and in Link, if a test has set them. `isWalletLate`: the buttons wait
 * for the event "walletready".
 */
const { walletCard, linkCard, isWalletLate } = globalThis as unknown as {
  walletCard?: string;
  linkCard?: string;
  isWalletLate?: boolean;
};

const WAYS = [
  { method: "googlePay", type: "google_pay", label: "Buy with Google Pay", card: walletCard },
  { method: "link", type: "link", label: "Pay with Link", card: linkCard },
] as const;

const WALLET_CSS = `
  :host { display: flex; gap: 8px; }
  button { flex: 1; height: 48px; border: 0; border-radius: 10px; background: #000; color: #fff; font: 16px sans-serif; cursor: pointer; }`;

/** Renders a button for each method that the window has and the page allows, or nothing. */
class ExpressCheckoutElement extends StandInElement {
  readonly #elements: Elements;
  readonly #ways: (typeof WAYS)[number][];
  #host: HTMLDivElement | null = null;

  constructor(elements: Elements, { paymentMethods, layout }: StripeExpressCheckoutElementOptions) {
    super("expressCheckout");
    this.#elements = elements;
    const { maxColumns = 1, maxRows = 1 } = typeof layout === "object" ? layout : {};
    this.#ways = WAYS.filter(({ method, card }) => card && paymentMethods?.[method] !== "never").slice(
      0,
      maxColumns * maxRows,
    );
  }

  mount(node: HTMLElement): void {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(WALLET_CSS);
    const buttons = this.#ways.map(
      ({ label, type }) => `<button type="button" value="${type}">${label}</button>`,
    );
    const { host, root } = shadowHost(sheet, buttons.join(""));
    root.addEventListener("click", ({ target }) => this.#confirm((target as HTMLButtonElement).value));
    this.#host = host;
    const available = Object.fromEntries(this.#ways.map(({ method }) => [method, true]));
    const isAny = this.#ways.length > 0;
    const showButtons = () => {
      node.appendChild(host);
      this.emit("ready", { availablePaymentMethods: isAny ? available : undefined });
    };
    if (isWalletLate) addEventListener("walletready", showButtons, { once: true });
    else setTimeout(showButtons);
  }

  #confirm(expressPaymentType: string): void {
    this.#elements.opened = this.#ways.find(({ type }) => type === expressPaymentType)?.card ?? null;
    const paymentFailed = () => {
      this.#elements.opened = null;
    };
    this.emit("confirm", { expressPaymentType, paymentFailed });
  }

  unmount(): void {
    this.#host?.remove();
  }

  destroy(): void {
    this.unmount();
  }
}

type Card = ReturnType<PaymentElement["read"]>;

class Elements {
  readonly clientSecret: string;
  readonly #appearance: Appearance;
  element: PaymentElement | null = null;
  /** The number of the wallet card that pays; null for a typed card. */
  opened: string | null = null;

  constructor({ clientSecret, appearance }: StripeElementsOptionsClientSecret) {
    this.clientSecret = clientSecret!;
    this.#appearance = appearance ?? {};
  }

  create(type: string, options: object = {}): PaymentElement | ExpressCheckoutElement {
    if (type === "expressCheckout") return new ExpressCheckoutElement(this, options);
    this.element = new PaymentElement(this.clientSecret, this.#appearance);
    return this.element;
  }

  /** Returns the opened wallet's card, or the typed one. */
  read(): Card {
    return this.opened ? { number: this.opened, month: "12", year: "2034" } : this.element!.read();
  }

  getElement(type: string): PaymentElement | null {
    return type === "payment" ? this.element : null;
  }

  update({ appearance }: { appearance?: Appearance }): void {
    if (appearance) this.element?.restyle(appearance);
  }

  async fetchUpdates() {
    const { error } = await read(this.clientSecret);
    return error ? { error: { message: error.message ?? "" } } : {};
  }

  async submit() {
    const card = this.read();
    return "error" in card ? card : { selectedPaymentMethod: "card" };
  }
}

const BANK_CSS = `
  .veil { position: fixed; inset: 0; z-index: 2147483647; display: grid; place-items: center; background: rgb(0 0 0 / 0.5); }
  .bank { box-sizing: border-box; width: min(24rem, 92vw); padding: 24px; border-radius: 8px; background: #fff; color: #1a1a2e; font: 16px/1.4 sans-serif; }
  h2 { margin: 0 0 8px; font-size: 20px; }
  p { margin: 0 0 16px; }
  button { display: block; width: 100%; min-height: 46px; margin-top: 8px; border: 1px solid #5b5bd6; border-radius: 6px; background: #fff; color: #3a3aa8; font: inherit; cursor: pointer; }
  button:first-of-type { background: #4a4ac4; color: #fff; }`;

const BANK = `
  <div class="veil"><div class="bank" role="dialog" aria-modal="true" aria-label="3-D Secure">
    <h2>Your bank asks</h2>
    <p>Is it you who pays on this site?</p>
    <button value="yes">Complete</button>
    <button value="no">Fail</button>
    <button value="page">Continue on the bank's page</button>
  </div></div>`;

const POLL_MS = 400;

/** Opens the bank's window. It closes after the buyer's response, or if the payment is cancelled. */
function showBankPage(secret: string, returnUrl: string): Promise<Result> {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(BANK_CSS);
  const { host, root } = shadowHost(sheet, BANK);
  document.body.appendChild(host);
  root.querySelector("button")!.focus();
  return new Promise((resolve) => {
    const end = (result: Result) => {
      clearInterval(timer);
      host.remove();
      resolve(result);
    };
    const poll = async () => {
      const result = await read(secret);
      if (result.paymentIntent?.status === "canceled") end(outcome(result));
    };
    const timer = setInterval(() => void poll(), POLL_MS);
    root.addEventListener("click", (event) => {
      const answer = (event.target as HTMLElement).closest("button")?.value;
      if (!answer) return;
      if (answer === "page") {
        const query = new URLSearchParams({ client_secret: secret, return_url: returnUrl });
        location.assign(`${home}/bank?${query}`);
        return;
      }
      const form = { client_secret: secret, answer };
      void callServer("/bank", form).then((result) => end(outcome(result)));
    });
  });
}

/** Returns a payment as Stripe.js reports it: a decline is an error. */
function outcome(result: Result): Result {
  const intent = result.paymentIntent;
  if (!intent) return result;
  if (intent.status === "canceled")
    return failure("invalid_request_error", "payment_intent_unexpected_state", "The payment was cancelled.");
  if (intent.status === "requires_payment_method" && intent.last_payment_error)
    return { error: intent.last_payment_error as unknown as StripeError };
  return result;
}

async function finish(result: Result, secret: string, returnUrl: string): Promise<Result> {
  if (result.paymentIntent?.status === "requires_action") return showBankPage(secret, returnUrl);
  return result.error ? result : outcome(result);
}

function makeStripe(key: string) {
  return {
    elements: (options: StripeElementsOptionsClientSecret) => new Elements(options),
    createToken() {},
    createPaymentMethod() {},
    confirmCardPayment() {},
    async confirmPayment(options: {
      elements: Elements;
      confirmParams: ConfirmPaymentData;
    }): Promise<Result> {
      const { elements, confirmParams } = options;
      const card = elements.read();
      elements.opened = null;
      if ("error" in card) return card;
      const secret = elements.clientSecret;
      const data = confirmParams.payment_method_data;
      const result = await callServer(`/v1/payment_intents/${idOf(secret)}/confirm`, {
        key,
        client_secret: secret,
        "payment_method_data[type]": "card",
        "payment_method_data[card][number]": card.number,
        "payment_method_data[card][exp_month]": card.month,
        "payment_method_data[card][exp_year]": card.year,
        "payment_method_data[allow_redisplay]": data?.allow_redisplay ?? "unspecified",
      });
      return finish(result, secret, confirmParams.return_url);
    },
    async handleNextAction({ clientSecret }: { clientSecret: string }): Promise<Result> {
      return finish(await read(clientSecret), clientSecret, location.href);
    },
  };
}

(globalThis as unknown as { Stripe: unknown }).Stripe = Object.assign(makeStripe, { version: "endive" });
