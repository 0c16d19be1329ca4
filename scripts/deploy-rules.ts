/** Checks a deploy's preconditions. Pure functions, so that tests can cover every refusal. */
import { isAbn } from "../contract/checks.ts";

/** The part of the built configuration that affects a deploy. */
export type DeployConfig = {
  workers_dev?: boolean;
  routes?: { pattern: string; custom_domain: true }[];
  vars?: Record<string, unknown>;
  d1_databases?: { binding: string; database_id?: string }[];
  queues?: { producers?: { queue: string }[]; consumers?: { queue: string }[] };
  r2_buckets?: { bucket_name: string }[];
};

/** What the Cloudflare account has of what the Worker needs. wrangler creates none of it. */
export type AccountFacts = {
  /** Names of the Worker's secrets; none before the first deploy. */
  secrets: readonly string[];
  queues: readonly string[];
  buckets: readonly string[];
  /** The domains that are zones of the account. */
  zones: readonly string[];
};

/**
 * An entry of the checklist. `problem`: what is wrong and what to do; null if it is in order. `only`: the problem blocks
 * no deploy, because it is only advice, or because we cannot know.
 */
export type Check = { name: string; problem: string | null; only?: "advice" | "unknown" };

/** Returns the queues that the Worker sends to or reads. */
export const queuesOf = ({ queues }: DeployConfig): string[] => [
  ...new Set([...(queues?.producers ?? []), ...(queues?.consumers ?? [])].map(({ queue }) => queue)),
];

/** Returns the buckets of the Worker's files. */
export const bucketsOf = ({ r2_buckets: buckets = [] }: DeployConfig): string[] =>
  buckets.map(({ bucket_name: name }) => name);

/** Required secrets, and what fails in production without each one. */
export const NEEDED_SECRETS: Readonly<Record<string, string>> = {
  STRIPE_SECRET_KEY: "no provider can buy a lead",
  STRIPE_PUBLISHABLE_KEY: "no provider can buy a lead",
  STRIPE_WEBHOOK_SECRET: "Stripe's webhooks are rejected",
  BANK_DETAILS_KEYS: "providers cannot save bank details",
  ORIGIN_HASH_KEY: "most fake requests reach the market and are sold",
};

/** Settings that redirect messages to a stand-in on a developer's machine. */
const STAND_INS = ["MESSAGE_STAND_IN", "PUSH_STAND_IN"];

/** https://developers.cloudflare.com/turnstile/troubleshooting/testing/ */
const TEST_SITE_KEY = /^[123]x0{10,}/;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const HOST = /^[a-z0-9-]+(\.[a-z0-9-]+)+$/;
const UNDER_WORKERS_DEV = ".workers.dev";

/** Explains why the site would have no host or several; null if it has exactly one. */
function addressProblem({ vars, workers_dev: isUnderWorkersDev }: DeployConfig): string | null {
  const host = String(vars?.SITE_HOST ?? "");
  if (host === "")
    return 'is empty: the site would have no host. Set it in wrangler.toml, such as SITE_HOST = "your-domain.example". To try it without a domain, use its workers.dev host and set workers_dev = true.';
  if (!HOST.test(host))
    return `is "${host}": it must be a host in lower case without https://, such as "your-domain.example".`;
  if (host.endsWith(UNDER_WORKERS_DEV) === (isUnderWorkersDev === true)) return null;
  return isUnderWorkersDev
    ? `is "${host}", but workers_dev is true: the site would have a second host. Set workers_dev = false in wrangler.toml.`
    : `is "${host}", but workers_dev is false: the site would not be reachable. Set workers_dev = true in wrangler.toml, or use your own domain.`;
}

/**
 * Returns the route that makes the site's host a custom domain of the Worker. The build writes it into the configuration
 * that wrangler deploys. A workers.dev host needs none, and nor does a site without a host.
 */
export function routesOf({ vars }: Pick<DeployConfig, "vars">): NonNullable<DeployConfig["routes"]> {
  const host = String(vars?.SITE_HOST ?? "");
  return host === "" || host.endsWith(UNDER_WORKERS_DEV) ? [] : [{ pattern: host, custom_domain: true }];
}

/** Returns the domains that may be the zone of a host, such as "a.b.example", "b.example". */
export function zonesOf({ vars }: DeployConfig): string[] {
  const host = String(vars?.SITE_HOST ?? "");
  const parts = HOST.test(host) && !host.endsWith(UNDER_WORKERS_DEV) ? host.split(".") : [];
  return parts.slice(0, -1).map((_, i) => parts.slice(i).join("."));
}

/** Settings that name the operator on the pages. wrangler.toml has fictional ones. */
const OPERATOR_SETTINGS: Readonly<Record<string, string>> = {
  BUSINESS_NAME: "the legal name of the business",
  BUSINESS_ABN: "the ABN of the business",
  BUSINESS_ADDRESS: "the postal address of the business",
  CONTACT_PHONE: "the phone number of the business",
  CONTACT_EMAIL: "the email address of the business",
};

/** Numbers that the ACMA reserves for fiction, such as the default, without +61 and the leading zero. */
const FICTIONAL_PHONE = new RegExp(
  `^(?:${[
    String.raw`1800160401|1[38]009757(?:0[789]|1[01])`,
    String.raw`[2378](?:5550|7010)\d{4}`,
    "49157(?:0(?:006|110|15[6-9]|313|737)|1(?:266|491|804)|2(?:549|665|983)|3(?:087|770)|4(?:118|632))",
    "49157(?:5(?:254|789)|6(?:398|801)|7(?:426|644)|8(?:148|888|957)|9(?:212|455|760))",
  ].join("|")})$`,
);

/** Returns the digits of an Australian phone number, without +61 and the leading zero. */
const nationalDigits = (phone: string) => phone.replaceAll(/\D/g, "").replace(/^(?:61)?0?/, "");

/** Returns whether a setting is empty or one of the examples, so that it names no real business. */
function isExample(name: string, value: string): boolean {
  if (value.trim() === "" || /example/i.test(value)) return true;
  if (name === "BUSINESS_ABN") return !isAbn(value.replaceAll(/\s/g, ""));
  return name === "CONTACT_PHONE" && FICTIONAL_PHONE.test(nationalDigits(value));
}

/** Checks that need only the configuration. */
function settingChecks(config: DeployConfig, allowDirect: boolean): Check[] {
  const { vars = {} } = config;
  const { PAYMENTS = "stripe", ADMIN_PASSKEYS = "required", SAMPLE_CLAIMS = "off" } = vars;
  const database = config.d1_databases?.find(({ binding }) => binding === "DB");
  const operator = Object.entries(OPERATOR_SETTINGS).map(([name, meaning]): Check => {
    const value = String(vars[name] ?? "");
    const problem = `is "${value}", which is not real: customers must know who runs the site. Set ${meaning} in wrangler.toml.`;
    return { name, problem: isExample(name, value) ? problem : null };
  });
  return [
    { name: "SITE_HOST", problem: addressProblem(config) },
    ...operator,
    {
      name: "database_id",
      problem: UUID.test(database?.database_id ?? "")
        ? null
        : "is missing. Run `npx wrangler d1 create naturestrip --location oc` and put the printed database_id into wrangler.toml, under [[d1_databases]].",
    },
    ...[
      PAYMENTS !== "stripe" &&
        !allowDirect && {
          name: "PAYMENTS",
          problem: `is "${String(PAYMENTS)}": leads would be sold without a card. Delete it from wrangler.toml, or add --allow-direct if you mean it.`,
        },
      ADMIN_PASSKEYS !== "required" && {
        name: "ADMIN_PASSKEYS",
        problem: `is "${String(ADMIN_PASSKEYS)}": a stolen password would open the admin pages. Delete it from wrangler.toml.`,
      },
      SAMPLE_CLAIMS !== "off" && {
        name: "SAMPLE_CLAIMS",
        problem: `is "${String(SAMPLE_CLAIMS)}": the pages would make claims that no records prove. Delete it from wrangler.toml.`,
      },
      TEST_SITE_KEY.test(String(vars.TURNSTILE_SITE_KEY ?? "")) && {
        name: "TURNSTILE_SITE_KEY",
        problem:
          "is one of Cloudflare's test keys: every request would be quarantined. Use your own widget's key in wrangler.toml, or leave it empty.",
      },
      Boolean(vars.SMS_GATEWAY) &&
        !vars.SMS_SENDER && {
          name: "SMS_SENDER",
          problem: "is missing, but SMS_GATEWAY is set: no text would be sent. Set it in wrangler.toml.",
        },
    ].filter((check) => check !== false),
  ];
}

/** Returns the secrets that this configuration needs, each with what fails without it. */
function neededSecrets({ vars = {} }: DeployConfig): Record<string, string> {
  const { PAYMENTS = "stripe", SMS_GATEWAY, TURNSTILE_SITE_KEY } = vars;
  const withoutCards = Object.entries(NEEDED_SECRETS).filter(([name]) => !name.startsWith("STRIPE_"));
  return {
    ...(PAYMENTS === "stripe" ? NEEDED_SECRETS : Object.fromEntries(withoutCards)),
    ...(SMS_GATEWAY ? { SMS_KEYS: "no text is sent", SMS_WEBHOOK_SECRET: "no text is sent" } : {}),
    ...(TURNSTILE_SITE_KEY ? { TURNSTILE_SECRET: "no visitor is checked" } : {}),
  };
}

/** @param isThere undefined if it is unknown */
const checkAccount = (name: string, isThere: boolean | undefined, problem: string): Check =>
  isThere === undefined
    ? {
        name,
        problem: "not checked: you are not signed in to wrangler. Run `npx wrangler login`.",
        only: "unknown",
      }
    : { name, problem: isThere ? null : problem };

/** Checks of the Cloudflare account. @param account null if it is unknown */
function accountChecks(config: DeployConfig, account: AccountFacts | null): Check[] {
  const zones = zonesOf(config);
  return [
    ...queuesOf(config).map((queue) =>
      checkAccount(
        `queue ${queue}`,
        account?.queues.includes(queue),
        `does not exist. Run \`npx wrangler queues create ${queue}\`.`,
      ),
    ),
    ...bucketsOf(config).map((bucket) =>
      checkAccount(
        `bucket ${bucket}`,
        account?.buckets.includes(bucket),
        `does not exist. Run \`npx wrangler r2 bucket create ${bucket} --location oc\`.`,
      ),
    ),
    ...(zones.length === 0
      ? []
      : [
          checkAccount(
            `domain of ${zones[0]}`,
            account ? zones.some((zone) => account.zones.includes(zone)) : undefined,
            "is no zone of your Cloudflare account. Add the domain in Cloudflare's dashboard.",
          ),
        ]),
    ...Object.entries(neededSecrets(config)).map(([name, consequence]) =>
      checkAccount(
        `secret ${name}`,
        account?.secrets.includes(name),
        `is not set: ${consequence}. Run \`npx wrangler secret put ${name}\`.`,
      ),
    ),
  ];
}

/**
 * Returns the checklist of a deploy, in sentences for the operator.
 *
 * @param account null if it is unknown, as in a dry run without an account
 */
export function deployChecks(
  config: DeployConfig,
  account: AccountFacts | null,
  options: { allowDirect: boolean },
): Check[] {
  const advice: Check = {
    name: "TURNSTILE_SITE_KEY",
    problem:
      "is empty: nothing stops a campaign of fake requests. Follow “Checking visitors with Turnstile” in docs/operations.md.",
    only: "advice",
  };
  const standIns = STAND_INS.filter(
    (name) => config.vars?.[name] !== undefined || account?.secrets.includes(name),
  ).map((name) => ({
    name,
    problem: `is set: messages would go to a stand-in, which is only for local use. Remove it from wrangler.toml, or run \`npx wrangler secret delete ${name}\`.`,
  }));
  return [
    ...settingChecks(config, options.allowDirect),
    ...standIns,
    ...(config.vars?.TURNSTILE_SITE_KEY ? [] : [advice]),
    ...accountChecks(config, account),
  ];
}

export const isMissing = ({ problem, only }: Check) => problem !== null && only === undefined;

const MARKS = { advice: "!", unknown: "?" } as const;

/** Formats the checklist, with a summary as its last line. */
export function formatChecklist(checks: readonly Check[]): string {
  const missing = checks.filter(isMissing).length;
  const unknown = checks.filter(({ only }) => only === "unknown").length;
  const lines = checks.map(({ name, problem, only }) => {
    const mark = only ? MARKS[only] : problem === null ? "x" : " ";
    return `[${mark}] ${name}${problem === null ? "" : ` ${problem}`}`;
  });
  const summary = [
    missing === 0 ? "Nothing is missing" : `${missing} of ${checks.length} are missing`,
    ...(unknown === 0 ? [] : [`${unknown} could not be checked`]),
  ];
  return ["Checklist of this deploy:", ...lines, `${summary.join(", and ")}.`].join("\n");
}
