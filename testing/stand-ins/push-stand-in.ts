/**
 * A push service for tests, with its subscribed browsers. It checks the sender's signature (RFC 8292), and
 * each browser decrypts its messages with its own key (RFC 8291). The Worker uses it like the real service:
 * only the host differs.
 */
export type PushFault = "lost" | { status: number; retryAfter?: string; location?: string };

/** A message as its browser decrypts it. */
export type PushedMessage = {
  endpoint: string;
  data: { web_push: number; notification: Record<string, string> };
  ttl: number;
  urgency: string | null;
  topic: string | null;
};

/** A browser's subscription. */
export type Subscription = { endpoint: string; p256dh: string; auth: string };

type Browser = Subscription & { keys: CryptoKeyPair };

const EC = { name: "ECDSA", namedCurve: "P-256" } as const;
const DH = { name: "ECDH", namedCurve: "P-256" } as const;

const toBase64Url = (bytes: Uint8Array | ArrayBuffer) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

const fromBase64Url = (text: string) =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (sign) => sign.codePointAt(0)!);

const utf8 = (text: string) => new TextEncoder().encode(text);

const rawKey = async (key: CryptoKey) =>
  new Uint8Array((await crypto.subtle.exportKey("raw", key)) as ArrayBuffer);

/** Returns new keys for a sender, in the format of PUSH_KEYS. */
export async function newPushKeys(): Promise<string> {
  const { publicKey, privateKey } = (await crypto.subtle.generateKey(EC, true, [
    "sign",
    "verify",
  ])) as CryptoKeyPair;
  const { d } = (await crypto.subtle.exportKey("jwk", privateKey)) as JsonWebKey;
  return `${toBase64Url(await rawKey(publicKey))}.${d}`;
}

async function derive(secret: Uint8Array, salt: Uint8Array, info: Uint8Array, bytes: number) {
  const key = await crypto.subtle.importKey("raw", secret as BufferSource, "HKDF", false, ["deriveBits"]);
  const how = { name: "HKDF", hash: "SHA-256", salt: salt as BufferSource, info: info as BufferSource };
  return new Uint8Array(await crypto.subtle.deriveBits(how, key, bytes * 8));
}

/** Decrypts an aes128gcm body with a browser's keys. @throws if it is not for this browser */
async function decrypt(body: Uint8Array, browser: Browser): Promise<string> {
  const salt = body.slice(0, 16);
  const length = body[20]!;
  const senderKey = body.slice(21, 21 + length);
  const sender = await crypto.subtle.importKey("raw", senderKey, DH, false, []);
  const how = { name: "ECDH", public: sender } as unknown as SubtleCryptoDeriveKeyAlgorithm;
  const shared = new Uint8Array(await crypto.subtle.deriveBits(how, browser.keys.privateKey, 256));
  const info = new Uint8Array([...utf8("WebPush: info\0"), ...fromBase64Url(browser.p256dh), ...senderKey]);
  const secret = await derive(shared, fromBase64Url(browser.auth), info, 32);
  const contentKey = await derive(secret, salt, utf8("Content-Encoding: aes128gcm\0"), 16);
  const iv = await derive(secret, salt, utf8("Content-Encoding: nonce\0"), 12);
  const key = await crypto.subtle.importKey("raw", contentKey, "AES-GCM", false, ["decrypt"]);
  const sealed = body.slice(21 + length);
  const padded = new Uint8Array(await crypto.subtle.decrypt({ name: "AES-GCM", iv }, key, sealed));
  return new TextDecoder().decode(padded.slice(0, padded.lastIndexOf(2)));
}

export class PushStandIn {
  /** The messages that arrived and that their browsers could decrypt, in order. */
  readonly delivered: PushedMessage[] = [];
  /** Number of calls, whatever their outcome. */
  calls = 0;
  readonly #publicKey: string;
  readonly #browsers = new Map<string, Browser>();
  readonly #faults: PushFault[] = [];

  /** @param pushKeys in the format of PUSH_KEYS; browsers subscribe with the public half */
  constructor(pushKeys: string) {
    this.#publicKey = pushKeys.split(".")[0]!;
  }

  /** Subscribes a browser. */
  async subscribe(): Promise<Subscription> {
    const keys = (await crypto.subtle.generateKey(DH, true, ["deriveBits"])) as CryptoKeyPair;
    const endpoint = `https://push.naturestrip.test/${crypto.randomUUID()}`;
    const auth = toBase64Url(crypto.getRandomValues(new Uint8Array(16)));
    const subscription = { endpoint, p256dh: toBase64Url(await rawKey(keys.publicKey)), auth };
    this.#browsers.set(endpoint, { ...subscription, keys });
    return subscription;
  }

  /** Removes a browser's subscription. */
  unsubscribe(endpoint: string): void {
    this.#browsers.delete(endpoint);
  }

  /** Makes the next calls fail in these ways, in this order. */
  fail(...faults: PushFault[]): void {
    this.#faults.push(...faults);
  }

  /** Returns the messages that a browser received. */
  deliveredTo({ endpoint }: Subscription): PushedMessage[] {
    return this.delivered.filter((message) => message.endpoint === endpoint);
  }

  /** Receives one message. @throws to simulate a network failure */
  async fetch(request: Request): Promise<Response> {
    this.calls += 1;
    const fault = this.#faults.shift();
    if (fault === "lost") throw new TypeError("Network connection lost");
    if (fault) {
      const { status, retryAfter, location } = fault;
      const headers = {
        ...(retryAfter && { "Retry-After": retryAfter }),
        ...(location && { Location: location }),
      };
      return new Response(null, { status, headers });
    }
    const endpoint = `https://push.naturestrip.test${new URL(request.url).pathname}`;
    const browser = this.#browsers.get(endpoint);
    if (!browser) return new Response(null, { status: 410 });
    if (!(await this.#isSigned(request.headers.get("Authorization"))))
      return new Response(null, { status: 403 });
    const { headers } = request;
    const topic = headers.get("Topic");
    const body = new Uint8Array(await request.arrayBuffer());
    const isWellFormed = headers.get("Content-Encoding") === "aes128gcm" && headers.has("TTL");
    if (!isWellFormed || (topic !== null && !/^[\w-]{1,32}$/.test(topic)))
      return new Response(null, { status: 400 });
    if (body.length > 4096) return new Response(null, { status: 413 });
    const data = JSON.parse(await decrypt(body, browser)) as PushedMessage["data"];
    this.delivered.push({
      endpoint,
      data,
      ttl: Number(headers.get("TTL")),
      urgency: headers.get("Urgency"),
      topic,
    });
    return new Response(null, { status: 201 });
  }

  /** RFC 8292: the sender signs with the subscription's key, for this service, for at most a day. */
  async #isSigned(authorization: string | null): Promise<boolean> {
    const [, token = "", key] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(authorization ?? "") ?? [];
    if (key !== this.#publicKey) return false;
    const [head = "", claims = "", signature = ""] = token.split(".");
    const publicKey = await crypto.subtle.importKey("raw", fromBase64Url(key), EC, false, ["verify"]);
    const how = { name: "ECDSA", hash: "SHA-256" };
    if (!(await crypto.subtle.verify(how, publicKey, fromBase64Url(signature), utf8(`${head}.${claims}`))))
      return false;
    const { aud, exp, sub } = JSON.parse(new TextDecoder().decode(fromBase64Url(claims))) as Record<
      string,
      unknown
    >;
    const left = Number(exp) - Date.now() / 1000;
    return (
      aud === "https://push.naturestrip.test" &&
      left > 0 &&
      left <= 86_400 &&
      /^(mailto:|https:)/.test(String(sub))
    );
  }
}
