import { readPushKeys } from "./platform/push-keys.ts";
import { DAY_MS } from "../contract/durations.ts";
import * as z from "zod/mini";

import { readKeyRing } from "./platform/key-ring.ts";
import { isStandInUrl } from "./loopback.ts";
import type { Queued } from "./db/message-types.ts";

/** What wrangler binds. Texts are read through `settings`, never directly. */
export type Env = {
  DB: D1Database;
  ASSETS: Fetcher;
  LEAD_EXCHANGE: DurableObjectNamespace;
  BUSINESS_ROOM: DurableObjectNamespace;
  LOGIN_PER_ADDRESS: RateLimit;
  LOGIN_PER_ACCOUNT: RateLimit;
  SIGNUP_PER_ADDRESS: RateLimit;
  FORM_PER_ADDRESS: RateLimit;
  START_PER_ADDRESS: RateLimit;
  PAYMENT_PER_BUSINESS: RateLimit;
  PAYING_PER_BUSINESS: RateLimit;
  HEALTH_PER_ADDRESS: RateLimit;
  PICTURE_PER_ADDRESS: RateLimit;
  VERSION: WorkerVersionMetadata;
  SITE_HOST: string;
  PAYMENTS: string;
  CONTACT_PHONE: string;
  CONTACT_EMAIL: string;
  REQUIRE_VERIFIED: string;
  NEWCOMER_SHARE_PERCENT: string;
  ADMIN_PASSKEYS: string;
  LEAD_LIFETIME_DAYS: string;
  DUPLICATE_DAYS: string;
  REQUESTS_PER_ADDRESS: string;
  FASTEST_FORM_SECONDS: string;
  SUSPICION_POINTS: string;
  ORIGIN_HASH_KEY?: string;
  TURNSTILE_SITE_KEY: string;
  TURNSTILE_SECRET?: string;
  TURNSTILE_HOST?: string;
  NIGHTLY_AT: string;
  RETENTION_DAYS: string;
  SOLD_RETENTION_DAYS: string;
  DEPLOYMENT: string;
  GOOGLE_MAPS_KEY?: string;
  ADS_CONVERSION: string;
  WEBSITE_BUILDER_URL: string;
  STRIPE_SECRET_KEY?: string;
  STRIPE_WEBHOOK_SECRET?: string;
  STRIPE_PUBLISHABLE_KEY?: string;
  STRIPE_API_HOST?: string;
  BANK_DETAILS_KEYS?: string;
  PUSH_KEYS?: string;
  PUSH_STAND_IN?: string;
  MESSAGE_STAND_IN?: string;
  /** Left out where messages are sent without a queue, such as in most tests. */
  MESSAGE_QUEUE?: Queue<Queued>;
  SMS_GATEWAY: string;
  SMS_SENDER: string;
  SMS_CENTS: string;
  SMS_KEYS?: string;
  SMS_WEBHOOK_SECRET?: string;
  /**
   * Sends messages now: only these, or whatever is due (null). Never throws. The entry sets it, because the rooms that
   * enqueue stand below the one that delivers. Without it the minute's sweep sends them.
   */
  DELIVER?: (ids: readonly string[] | null) => Promise<void>;
  EMAIL?: SendEmail;
  EMAIL_FROM?: string;
  STRIPE_JS_URL?: string;
  BUSINESS_NAME: string;
  BUSINESS_ABN: string;
  GST: string;
};

/** Where our objects live: in Oceania, where our customers, providers and D1 are. */
export const NEAR_SYDNEY = { locationHint: "oc" } as const;

const settingsSchema = z.object({
  SITE_HOST: z.string().check(z.regex(/^$|^[a-z0-9-]+(\.[a-z0-9-]+)+$/)),
  PAYMENTS: z.enum(["stripe", "direct"]),
  CONTACT_PHONE: z.string(),
  CONTACT_EMAIL: z.string(),
  REQUIRE_VERIFIED: z.enum(["on", "off"]),
  NEWCOMER_SHARE_PERCENT: z.coerce.number().check(z.int(), z.gte(0), z.lte(100)),
  ADMIN_PASSKEYS: z.enum(["required", "optional"]),
  LEAD_LIFETIME_DAYS: z.coerce.number().check(z.gt(0)),
  DUPLICATE_DAYS: z.coerce.number().check(z.gte(0)),
  REQUESTS_PER_ADDRESS: z.coerce.number().check(z.int(), z.gte(0)),
  FASTEST_FORM_SECONDS: z.coerce.number().check(z.gte(0)),
  SUSPICION_POINTS: z.coerce.number().check(z.int(), z.gte(0)),
  ORIGIN_HASH_KEY: z.optional(z.string()),
  TURNSTILE_SITE_KEY: z.string().check(z.regex(/^[\w-]*$/)),
  TURNSTILE_SECRET: z.optional(z.string()),
  TURNSTILE_HOST: z.optional(z.url()),
  RETENTION_DAYS: z.coerce.number().check(z.int(), z.minimum(0)),
  SOLD_RETENTION_DAYS: z.coerce.number().check(z.int(), z.minimum(0)),
  NIGHTLY_AT: z.string().check(z.regex(/^$|^([01]\d|2[0-3]):[0-5]\d$/)),
  DEPLOYMENT: z.string().check(z.minLength(1)),
  GOOGLE_MAPS_KEY: z.optional(z.string().check(z.regex(/^[\w-]*$/))),
  ADS_CONVERSION: z.string().check(z.regex(/^$|^AW-\d+\/[\w-]+$/)),
  WEBSITE_BUILDER_URL: z.union([z.literal(""), z.url({ protocol: /^https$/ })]),
  STRIPE_SECRET_KEY: z.optional(z.string().check(z.regex(/^$|^[sr]k_(test|live)_/))),
  STRIPE_WEBHOOK_SECRET: z.optional(z.string().check(z.regex(/^$|^whsec_/))),
  STRIPE_PUBLISHABLE_KEY: z.optional(z.string().check(z.regex(/^$|^pk_/))),
  STRIPE_API_HOST: z.optional(z.url()),
  BANK_DETAILS_KEYS: z.optional(
    z
      .string()
      .check(
        z.refine(
          (text) => text === "" || readKeyRing(text) !== null,
          "BANK_DETAILS_KEYS is a list of id:key, each key 32 bytes in base64",
        ),
      ),
  ),
  PUSH_KEYS: z.optional(
    z
      .string()
      .check(
        z.refine(
          (text) => text === "" || readPushKeys(text) !== null,
          "PUSH_KEYS is public.private, as `npm run push:keys` prints it",
        ),
      ),
  ),
  PUSH_STAND_IN: z.optional(
    z.url().check(z.refine(isStandInUrl, "PUSH_STAND_IN is for this machine and for tests only")),
  ),
  MESSAGE_STAND_IN: z.optional(
    z.url().check(z.refine(isStandInUrl, "MESSAGE_STAND_IN is for this machine and for tests only")),
  ),
  SMS_GATEWAY: z.enum(["", "mobilemessage"]),
  // A number, or a name of two to eleven signs that is registered with the ACMA.
  SMS_SENDER: z
    .string()
    .check(z.regex(/^$|^\+61\d{9}$|^(?=.*[A-Za-z])[A-Za-z0-9][A-Za-z0-9 &.-]{0,9}[A-Za-z0-9]$/)),
  SMS_CENTS: z.coerce.number().check(z.gte(0)),
  SMS_KEYS: z.optional(z.string().check(z.regex(/^$|^[!-9;-~]+:[!-~]+$/, "SMS_KEYS is user:password"))),
  SMS_WEBHOOK_SECRET: z.optional(z.string().check(z.regex(/^$|^[\w-]{32,200}$/))),
  EMAIL_FROM: z.optional(z.union([z.literal(""), z.email()])),
  STRIPE_JS_URL: z.optional(z.url()),
  BUSINESS_NAME: z.string().check(z.minLength(1)),
  BUSINESS_ABN: z.string().check(z.regex(/^$|^\d{2} ?\d{3} ?\d{3} ?\d{3}$/)),
  GST: z.enum(["on", "off"]),
});

const SETTING_NAMES = Object.keys(settingsSchema.shape) as (keyof Env)[];
let last: { texts: unknown[]; settings: Settings } | null = null;

/**
 * The operator's settings from wrangler.toml and `.dev.vars`, checked. They change with a deploy only, so
 * the same texts are not read twice.
 * @throws ZodError when a setting is missing or malformed; a deploy with such a setting answers 500.
 */
export function settings(env: Env): Settings {
  const texts = SETTING_NAMES.map((name) => env[name]);
  if (!last || texts.some((text, i) => text !== last!.texts[i]))
    last = { texts, settings: readSettings(env) };
  return last.settings;
}

/** What sending text messages takes; null unless all of it is there. */
function smsOf(values: z.infer<typeof settingsSchema>) {
  const { SMS_GATEWAY, SMS_SENDER: sender, SMS_KEYS: keys, SMS_WEBHOOK_SECRET: webhookSecret } = values;
  if (!SMS_GATEWAY || !sender || !keys || !webhookSecret) return null;
  const { MESSAGE_STAND_IN: standIn } = values;
  const host = standIn ? new URL("/sms", standIn).href : "https://api.mobilemessage.com.au";
  // Nobody can reply to a name.
  return {
    host,
    keys,
    sender,
    webhookSecret,
    centsEach: values.SMS_CENTS,
    takesReplies: sender.startsWith("+"),
  };
}

function readSettings(env: Env) {
  const values = settingsSchema.parse(env);
  const {
    STRIPE_SECRET_KEY: secretKey,
    STRIPE_WEBHOOK_SECRET: webhookSecret,
    STRIPE_PUBLISHABLE_KEY: publishableKey,
    STRIPE_API_HOST: apiHost,
    STRIPE_JS_URL: scriptUrl,
    DEPLOYMENT: deployment,
    TURNSTILE_SITE_KEY: siteKey,
    TURNSTILE_SECRET: turnstileSecret,
    TURNSTILE_HOST: turnstileHost = "https://challenges.cloudflare.com",
  } = values;
  return {
    /** The one host of the site; null: it answers wherever it is asked. */
    siteHost: values.SITE_HOST || null,
    payments: values.PAYMENTS,
    contactPhone: values.CONTACT_PHONE,
    contactEmail: values.CONTACT_EMAIL,
    requireVerified: values.REQUIRE_VERIFIED === "on",
    /** How much of a region's free leads new providers may hold together. */
    newcomerSharePercent: values.NEWCOMER_SHARE_PERCENT,
    /** Whether super admins have their rights only with a passkey. */
    demandsAdminPasskeys: values.ADMIN_PASSKEYS === "required",
    /** Null: addresses are completed from our own list of suburbs. */
    mapsKey: values.GOOGLE_MAPS_KEY || null,
    /** Null: nobody is told of a request that was sent. */
    adsConversion: values.ADS_CONVERSION || null,
    /** Null: the call to action is not shown. */
    websiteBuilderUrl: values.WEBSITE_BUILDER_URL || null,
    leadLifetimeMs: values.LEAD_LIFETIME_DAYS * DAY_MS,
    /** What makes a visitor's request suspicious; 0 switches a check off. */
    screening: {
      duplicateMs: values.DUPLICATE_DAYS * DAY_MS,
      requestsPerAddress: values.REQUESTS_PER_ADDRESS,
      fastestFormMs: values.FASTEST_FORM_SECONDS * 1000,
      suspicionPoints: values.SUSPICION_POINTS,
    },
    /** Hashes network addresses and signs starts of forms; null: requests are counted by neither. */
    originHashKey: values.ORIGIN_HASH_KEY || null,
    /** Cloudflare's check that people fill in our forms; null until both keys are set. */
    turnstile:
      siteKey && turnstileSecret
        ? { siteKey, secret: turnstileSecret, host: new URL(turnstileHost).origin }
        : null,
    /** After how many days requests nobody bought lose their person; 0 keeps them. */
    retentionDays: values.RETENTION_DAYS,
    soldRetentionDays: values.SOLD_RETENTION_DAYS,
    /** From when a night's jobs may begin, in Sydney, such as "03:00"; null: never by itself. */
    nightlyAt: values.NIGHTLY_AT || null,
    /** Null until all three keys are set. */
    stripe:
      secretKey && webhookSecret && publishableKey
        ? { secretKey, webhookSecret, publishableKey, apiHost, scriptUrl: scriptUrl ?? null, deployment }
        : null,
    /** Null until the secret is set; the first key is the current one. */
    bankDetailsKeys: values.BANK_DETAILS_KEYS ? readKeyRing(values.BANK_DETAILS_KEYS) : null,
    /** Null until the keys are set: nobody is asked to allow notifications, and none are sent. */
    push: values.PUSH_KEYS
      ? {
          ...readPushKeys(values.PUSH_KEYS)!,
          subject: values.SITE_HOST ? `https://${values.SITE_HOST}` : `mailto:${values.CONTACT_EMAIL}`,
          standIn: values.PUSH_STAND_IN ?? null,
        }
      : null,
    /** The gateway for text messages; null until everything it takes is set. */
    sms: smsOf(values),
    /** Where emails end on a developer's own machine, and are shown; null everywhere else. */
    messageStandIn: values.MESSAGE_STAND_IN ?? null,
    /** Whom our emails come from; null while none are sent. */
    emailFrom: values.EMAIL_FROM || null,
    /** Who sells the leads, as receipts name them. */
    seller: {
      name: values.BUSINESS_NAME,
      abn: values.BUSINESS_ABN || null,
      isGstRegistered: values.GST === "on",
    },
  };
}
export type Settings = ReturnType<typeof readSettings>;
