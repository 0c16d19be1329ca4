import { readKeyRing, readPushKeys } from "./keys.ts";
import { formatAbn } from "../../contract/checks.ts";
import { DAY_MS } from "../../contract/durations.ts";
import { SLOW_CALLER_RULES } from "../../contract/standing.ts";
import * as z from "zod/mini";

import { isStandInUrl } from "./network.ts";
import type { Queued } from "./db/messages.ts";

/** The bindings from wrangler. Read texts through the context's `settings`, never directly. */
export type Bindings = {
  DB: D1Database;
  ASSETS: Fetcher;
  FILES: R2Bucket;
  IMAGES: ImagesBinding;
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
  PHOTO_PER_ADDRESS: RateLimit;
  VERSION: WorkerVersionMetadata;
  SITE_HOST: string;
  CONTACT_PHONE: string;
  CONTACT_EMAIL: string;
  BUSINESS_NAME: string;
  BUSINESS_ABN: string;
  BUSINESS_ADDRESS: string;
  PAYMENTS?: string;
  REQUIRE_VERIFIED?: string;
  NEWCOMER_SHARE_PERCENT?: string;
  SLOW_CALLERS?: string;
  ADMIN_PASSKEYS?: string;
  PWNED_PASSWORDS?: string;
  SAMPLE_CLAIMS?: string;
  LEAD_LIFETIME_DAYS?: string;
  DUPLICATE_DAYS?: string;
  REQUESTS_PER_ADDRESS?: string;
  FASTEST_FORM_SECONDS?: string;
  SUSPICION_POINTS?: string;
  ORIGIN_HASH_KEY?: string;
  TURNSTILE_SITE_KEY?: string;
  TURNSTILE_SECRET?: string;
  TURNSTILE_HOST?: string;
  NIGHTLY_AT?: string;
  RETENTION_DAYS?: string;
  SOLD_RETENTION_DAYS?: string;
  DEPLOYMENT?: string;
  GOOGLE_MAPS_KEY?: string;
  ADS_CONVERSION?: string;
  WEBSITE_BUILDER_URL?: string;
  STRIPE_SECRET_KEY?: string;
  STRIPE_WEBHOOK_SECRET?: string;
  STRIPE_PUBLISHABLE_KEY?: string;
  STRIPE_API_HOST?: string;
  BANK_DETAILS_KEYS?: string;
  PUSH_KEYS?: string;
  PUSH_STAND_IN?: string;
  MESSAGE_STAND_IN?: string;
  /** Omitted when messages are sent without a queue, as in most tests. */
  MESSAGE_QUEUE?: Queue<Queued>;
  SMS_GATEWAY?: string;
  SMS_SENDER?: string;
  SMS_KEYS?: string;
  SMS_WEBHOOK_SECRET?: string;
  /**
   * Sends these messages now, or all due messages (null). Never throws. The entry point sets it, because modules that
   * enqueue must not import the module that delivers. Without it, the sweep sends the messages.
   */
  DELIVER?: (ids: readonly string[] | null) => Promise<void>;
  EMAIL?: SendEmail;
  EMAIL_FROM?: string;
  STRIPE_JS_URL?: string;
  GST?: string;
};

/** The location of our Durable Objects: Oceania, near our customers, our providers and D1. */
export const NEAR_SYDNEY = { locationHint: "oc" } as const;

/** The operator's settings, with the defaults of those that a deploy need not set. docs/operations.md explains them. */
const settingsSchema = z.object({
  SITE_HOST: z.string().check(z.regex(/^$|^localhost:\d+$|^[a-z0-9-]+(\.[a-z0-9-]+)+$/)),
  CONTACT_PHONE: z.string(),
  CONTACT_EMAIL: z.string(),
  BUSINESS_NAME: z.string().check(z.minLength(1)),
  BUSINESS_ABN: z.string().check(z.regex(/^\d{2} ?\d{3} ?\d{3} ?\d{3}$/)),
  BUSINESS_ADDRESS: z.string().check(z.minLength(1)),
  PAYMENTS: z._default(z.enum(["stripe", "direct"]), "stripe"),
  REQUIRE_VERIFIED: z._default(z.enum(["on", "off"]), "off"),
  NEWCOMER_SHARE_PERCENT: z._default(z.coerce.number().check(z.int(), z.gte(0), z.lte(100)), 33),
  SLOW_CALLERS: z._default(z.enum(SLOW_CALLER_RULES), "warn"),
  ADMIN_PASSKEYS: z._default(z.enum(["required", "optional"]), "required"),
  PWNED_PASSWORDS: z._default(z.enum(["on", "off"]), "on"),
  SAMPLE_CLAIMS: z._default(z.enum(["on", "off"]), "off"),
  LEAD_LIFETIME_DAYS: z._default(z.coerce.number().check(z.gt(0)), 14),
  DUPLICATE_DAYS: z._default(z.coerce.number().check(z.gte(0)), 14),
  REQUESTS_PER_ADDRESS: z._default(z.coerce.number().check(z.int(), z.gte(0)), 12),
  FASTEST_FORM_SECONDS: z._default(z.coerce.number().check(z.gte(0)), 4),
  SUSPICION_POINTS: z._default(z.coerce.number().check(z.int(), z.gte(0)), 2),
  ORIGIN_HASH_KEY: z.optional(z.string()),
  TURNSTILE_SITE_KEY: z._default(z.string().check(z.regex(/^[\w-]*$/)), ""),
  TURNSTILE_SECRET: z.optional(z.string()),
  TURNSTILE_HOST: z.optional(z.url()),
  RETENTION_DAYS: z._default(z.coerce.number().check(z.int(), z.gte(0)), 365),
  // Seven years, as long as the books must be kept.
  SOLD_RETENTION_DAYS: z._default(z.coerce.number().check(z.int(), z.gte(0)), 2557),
  NIGHTLY_AT: z._default(z.string().check(z.regex(/^$|^([01]\d|2[0-3]):[0-5]\d$/)), "03:00"),
  DEPLOYMENT: z._default(z.string().check(z.minLength(1)), "production"),
  GOOGLE_MAPS_KEY: z.optional(z.string().check(z.regex(/^[\w-]*$/))),
  ADS_CONVERSION: z._default(z.string().check(z.regex(/^$|^AW-\d+\/[\w-]+$/)), ""),
  WEBSITE_BUILDER_URL: z._default(z.union([z.literal(""), z.url({ protocol: /^https$/ })]), ""),
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
          "PUSH_KEYS is public.private, as `npx node scripts/vapid.ts` prints it",
        ),
      ),
  ),
  PUSH_STAND_IN: z.optional(
    z.url().check(z.refine(isStandInUrl, "PUSH_STAND_IN is for this machine and for tests only")),
  ),
  MESSAGE_STAND_IN: z.optional(
    z.url().check(z.refine(isStandInUrl, "MESSAGE_STAND_IN is for this machine and for tests only")),
  ),
  SMS_GATEWAY: z._default(z.enum(["", "mobilemessage"]), ""),
  // A number, or a name of two to eleven characters that is registered with the ACMA.
  SMS_SENDER: z._default(
    z.string().check(z.regex(/^$|^\+61\d{9}$|^(?=.*[A-Za-z])[A-Za-z0-9][A-Za-z0-9 &.-]{0,9}[A-Za-z0-9]$/)),
    "",
  ),
  SMS_KEYS: z.optional(z.string().check(z.regex(/^$|^[!-9;-~]+:[!-~]+$/, "SMS_KEYS is user:password"))),
  SMS_WEBHOOK_SECRET: z.optional(z.string().check(z.regex(/^$|^[\w-]{32,200}$/))),
  EMAIL_FROM: z.optional(z.union([z.literal(""), z.email()])),
  STRIPE_JS_URL: z.optional(z.url()),
  GST: z._default(z.enum(["on", "off"]), "off"),
});

/** Returns the settings for sending text messages, or null unless all of them are set. */
function smsOf(values: z.infer<typeof settingsSchema>) {
  const { SMS_GATEWAY, SMS_SENDER: sender, SMS_KEYS: keys, SMS_WEBHOOK_SECRET: webhookSecret } = values;
  if (!SMS_GATEWAY || !sender || !keys || !webhookSecret) return null;
  const { MESSAGE_STAND_IN: standIn } = values;
  const host = standIn ? new URL("/sms", standIn).href : "https://api.mobilemessage.com.au";
  // Customers cannot reply to a name.
  return {
    host,
    keys,
    sender,
    webhookSecret,
    takesReplies: sender.startsWith("+"),
  };
}

/**
 * Validates the operator's settings from wrangler.toml and `.dev.vars`.
 * @throws ZodError when a setting is missing or malformed
 */
export function readSettings(env: Bindings) {
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
  const isLocal = values.SITE_HOST.startsWith("localhost:");
  const siteHost = isLocal ? null : values.SITE_HOST || null;
  return {
    /** The canonical host. Null: the site responds on all hosts. */
    siteHost,
    /** Start of the links in messages, without a trailing slash. Null: messages have no links. */
    siteUrl: isLocal ? `http://${values.SITE_HOST}` : siteHost && `https://${siteHost}`,
    payments: values.PAYMENTS,
    contactPhone: values.CONTACT_PHONE,
    contactEmail: values.CONTACT_EMAIL,
    requireVerified: values.REQUIRE_VERIFIED === "on",
    /** Maximum share of a region's free leads that all new providers together may hold, in per cent. */
    newcomerSharePercent: values.NEWCOMER_SHARE_PERCENT,
    /** The effect of a low standing, besides the warning (contract/standing.ts). */
    slowCallers: values.SLOW_CALLERS,
    /** Whether super admins need a passkey for their admin rights. */
    demandsAdminPasskeys: values.ADMIN_PASSKEYS === "required",
    /** Whether new passwords are checked against Have I Been Pwned. Never on a developer's machine. */
    checksBreaches: values.PWNED_PASSWORDS === "on" && siteHost !== null,
    /** Whether the pages make all claims of the specification. Local only. */
    showsSampleClaims: values.SAMPLE_CLAIMS === "on",
    /** Null: addresses are completed from our own list of suburbs. */
    mapsKey: values.GOOGLE_MAPS_KEY || null,
    /** Null: Google Ads does not count sent requests. */
    adsConversion: values.ADS_CONVERSION || null,
    /** Null: the call to action is not shown. */
    websiteBuilderUrl: values.WEBSITE_BUILDER_URL || null,
    leadLifetimeMs: values.LEAD_LIFETIME_DAYS * DAY_MS,
    /** The thresholds of the checks for suspicious requests. 0 switches a check off. */
    screening: {
      duplicateMs: values.DUPLICATE_DAYS * DAY_MS,
      requestsPerAddress: values.REQUESTS_PER_ADDRESS,
      fastestFormMs: values.FASTEST_FORM_SECONDS * 1000,
      suspicionPoints: values.SUSPICION_POINTS,
    },
    /** The key that hashes IP addresses and signs form starts. Null: both checks are off. */
    originHashKey: values.ORIGIN_HASH_KEY || null,
    /** Cloudflare Turnstile, which detects bots in our forms. Null until both keys are set. */
    turnstile:
      siteKey && turnstileSecret
        ? { siteKey, secret: turnstileSecret, host: new URL(turnstileHost).origin }
        : null,
    /** Days after which an unsold request's personal data is erased. 0: never. */
    retentionDays: values.RETENTION_DAYS,
    soldRetentionDays: values.SOLD_RETENTION_DAYS,
    /** Sydney time after which the nightly jobs may start, such as "03:00". Null: they never start automatically. */
    nightlyAt: values.NIGHTLY_AT || null,
    /** Null until all three keys are set. */
    stripe:
      secretKey && webhookSecret && publishableKey
        ? { secretKey, webhookSecret, publishableKey, apiHost, scriptUrl: scriptUrl ?? null, deployment }
        : null,
    /** Null until the secret is set; the first key is the current one. */
    bankDetailsKeys: values.BANK_DETAILS_KEYS ? readKeyRing(values.BANK_DETAILS_KEYS) : null,
    /** VAPID keys. Null until set: the site then offers and sends no notifications. */
    push: values.PUSH_KEYS
      ? {
          ...readPushKeys(values.PUSH_KEYS)!,
          subject: siteHost ? `https://${siteHost}` : `mailto:${values.CONTACT_EMAIL}`,
          standIn: values.PUSH_STAND_IN ?? null,
        }
      : null,
    /** The gateway for text messages. Null until all its settings are set. */
    sms: smsOf(values),
    /** The stand-in that collects messages in local development. Null everywhere else. */
    messageStandIn: values.MESSAGE_STAND_IN ?? null,
    /** The sender of our emails. Null: no emails are sent. */
    emailFrom: values.EMAIL_FROM || null,
    /** The business that runs the site. */
    legalEntity: {
      name: values.BUSINESS_NAME,
      abn: formatAbn(values.BUSINESS_ABN.replaceAll(" ", "")),
      address: values.BUSINESS_ADDRESS,
    },
    /** Whether receipts are tax invoices. */
    isGstRegistered: values.GST === "on",
  };
}
export type Settings = ReturnType<typeof readSettings>;
