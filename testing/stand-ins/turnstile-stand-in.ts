/**
 * A Cloudflare Turnstile for tests: siteverify, with single-use tokens and every kind of failure. The Worker
 * uses it like the real service: only the host differs.
 */
type TurnstileFault = "lost" | "silent" | "broken" | "internal";

type Token = { hostname: string; action: string; at: number };
type Verification = { secret: string; response: string; remoteip?: string; idempotency_key?: string };

const LIFETIME_MS = 300_000;

export class TurnstileStandIn {
  readonly siteKey = "0x4AAAAAAAstandInSiteKey";
  /** Every verification request that arrived, in order. */
  readonly verifications: Verification[] = [];
  readonly #tokens = new Map<string, Token>();
  /** The idempotency key of each redeemed token. */
  readonly #redeemed = new Map<string, string | undefined>();
  readonly #faults: TurnstileFault[] = [];
  readonly #secret: string;

  constructor(secret: string) {
    this.#secret = secret;
  }

  /** Issues a token for a browser that passed the check. */
  issue({ hostname, action }: Omit<Token, "at">): string {
    const token = `0.${crypto.randomUUID()}`;
    this.#tokens.set(token, { hostname, action, at: Date.now() });
    return token;
  }

  /** Makes the next verifications fail in these ways, in this order. */
  fail(...faults: TurnstileFault[]): void {
    this.#faults.push(...faults);
  }

  /** Handles siteverify. @throws to simulate a network failure */
  async fetch(request: Request): Promise<Response> {
    const verification = (await request.json()) as Verification;
    this.verifications.push(verification);
    const fault = this.#faults.shift();
    if (fault === "lost") throw new TypeError("Network connection lost");
    if (fault === "silent") return silence(request.signal);
    if (fault === "broken") return new Response("<h1>502 Bad Gateway</h1>", { status: 502 });
    if (fault === "internal") return failedCheck("internal-error");
    return this.#verify(verification);
  }

  #verify({ secret, response, idempotency_key: key }: Verification): Response {
    if (secret !== this.#secret) return failedCheck("invalid-input-secret");
    const token = this.#tokens.get(response);
    if (!token) return failedCheck("invalid-input-response");
    const isUsed = this.#redeemed.has(response) && (!key || this.#redeemed.get(response) !== key);
    if (isUsed || Date.now() - token.at > LIFETIME_MS) return failedCheck("timeout-or-duplicate");
    this.#redeemed.set(response, key);
    const { hostname, action, at } = token;
    const challengeTime = new Date(at).toISOString();
    return Response.json({ success: true, "error-codes": [], challenge_ts: challengeTime, hostname, action });
  }
}

function failedCheck(code: string): Response {
  return Response.json({ success: false, "error-codes": [code] });
}

/** Never responds. Ends when the caller times out. */
function silence(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as Error));
  });
}
