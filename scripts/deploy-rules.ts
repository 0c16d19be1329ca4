/** Checks a deploy's preconditions. Pure functions, so that tests can cover every refusal. */
import { isAbn } from "../contract/checks.ts";

/** The part of the built configuration that affects a deploy. */
export type DeployConfig = {
  workers_dev?: boolean;
  vars?: Record<string, unknown>;
  d1_databases?: { binding: string; database_id?: string }[];
  queues?: { producers?: { queue: string }[] };
};

/** Returns the queues the Worker sends to. wrangler does not create them. */
export const queuesOf = ({ queues }: DeployConfig): string[] => [
  ...new Set((queues?.producers ?? []).map(({ queue }) => queue)),
];

/** Returns the command that creates a queue. */
export const createQueue = (queue: string) => `npx wrangler queues create ${queue}`;

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
    return 'SITE_HOST is empty: the site would have no host. Set it in wrangler.toml, such as SITE_HOST = "your-domain.example". To try it without a domain, use its workers.dev host and set workers_dev = true.';
  if (!HOST.test(host))
    return `SITE_HOST is "${host}": it must be a host in lower case without https://, such as "your-domain.example".`;
  if (host.endsWith(UNDER_WORKERS_DEV) === (isUnderWorkersDev === true)) return null;
  return isUnderWorkersDev
    ? `workers_dev is true, but SITE_HOST is "${host}": the site would have a second host. Set workers_dev = false in wrangler.toml.`
    : `SITE_HOST is "${host}", but workers_dev is false: the site would not be reachable. Set workers_dev = true in wrangler.toml, or use your own domain.`;
}

/** Returns the arguments that connect the site's own domain on deploy. workers.dev hosts need none. */
export function domainArguments({ vars }: DeployConfig): string[] {
  const host = String(vars?.SITE_HOST ?? "");
  return host === "" || host.endsWith(UNDER_WORKERS_DEV) ? [] : [`--domain=${host}`];
}

/** Explains why the site cannot be published yet; null once an operator has decided every claim. */
export function claimProblem(undecided: readonly string[]): string | null {
  if (undecided.length === 0) return null;
  return `These claims are undecided: ${undecided.join(", ")}. The law forbids misleading claims. Run \`npm run operate -- claims\`: it shows each claim's condition and stores your decisions.`;
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

/** Lists what an operator should know before a deploy, although it does not block one. */
export function deployWarnings({ vars }: DeployConfig): string[] {
  if (String(vars?.TURNSTILE_SITE_KEY ?? "") !== "") return [];
  return [
    "TURNSTILE_SITE_KEY is empty: nothing stops a campaign of fake requests. Follow “Checking visitors with Turnstile” in docs/operations.md.",
  ];
}

/**
 * Lists everything that blocks a deploy, in sentences for the operator.
 *
 * @param secrets the names of the secrets in Cloudflare; null if unknown, as in a dry run
 * @param options `missingQueues` are queues that do not exist in the account
 */
export function deployProblems(
  config: DeployConfig,
  secrets: readonly string[] | null,
  options: { allowDirect: boolean; missingQueues?: readonly string[] },
): string[] {
  const problems: string[] = [];
  const payments = String(config.vars?.PAYMENTS);
  if (payments !== "stripe" && !options.allowDirect)
    problems.push(
      `PAYMENTS is "${payments}": leads would be sold without a card. Set it to "stripe" in wrangler.toml, or add --allow-direct if you mean it.`,
    );
  const address = addressProblem(config);
  if (address) problems.push(address);
  const adminPasskeys = String(config.vars?.ADMIN_PASSKEYS);
  if (adminPasskeys !== "required")
    problems.push(
      `ADMIN_PASSKEYS is "${adminPasskeys}": a stolen password would open the admin pages. Set it to "required" in wrangler.toml.`,
    );
  const sampleClaims = String(config.vars?.SAMPLE_CLAIMS);
  if (sampleClaims !== "off")
    problems.push(
      `SAMPLE_CLAIMS is "${sampleClaims}": the pages would make claims that no records prove. Set it to "off" in wrangler.toml.`,
    );
  for (const [name, meaning] of Object.entries(OPERATOR_SETTINGS)) {
    const value = String(config.vars?.[name] ?? "");
    if (isExample(name, value))
      problems.push(
        `${name} is "${value}", which is not real: customers must know who runs the site. Set ${meaning} in wrangler.toml.`,
      );
  }
  const database = config.d1_databases?.find(({ binding }) => binding === "DB");
  if (!UUID.test(database?.database_id ?? ""))
    problems.push(
      "The database has no ID. Run `npx wrangler d1 create naturestrip --location oc` and put the printed database_id into wrangler.toml, under [[d1_databases]].",
    );
  for (const queue of options.missingQueues ?? [])
    problems.push(
      `The queue ${queue} does not exist: the Worker cannot be deployed without it. Run \`${createQueue(queue)}\`.`,
    );
  for (const [name, consequence] of Object.entries(NEEDED_SECRETS)) {
    const isForStripe = name.startsWith("STRIPE_");
    if (secrets === null || secrets.includes(name) || (isForStripe && payments !== "stripe")) continue;
    problems.push(`The secret ${name} is not set: ${consequence}. Run \`npx wrangler secret put ${name}\`.`);
  }
  for (const name of STAND_INS) {
    if (config.vars?.[name] !== undefined || secrets?.includes(name))
      problems.push(
        `${name} is set: messages would go to a stand-in, which is only for local use. Remove it from wrangler.toml, or run \`npx wrangler secret delete ${name}\`.`,
      );
  }
  const { SMS_GATEWAY: gateway = "", SMS_SENDER: smsSender = "" } = config.vars ?? {};
  const missingForTexts = ["SMS_KEYS", "SMS_WEBHOOK_SECRET"].filter(
    (name) => secrets && !secrets.includes(name),
  );
  if (gateway !== "" && (smsSender === "" || missingForTexts.length > 0))
    problems.push(
      `SMS_GATEWAY is set, but not ${[...(smsSender === "" ? ["SMS_SENDER in wrangler.toml"] : []), ...missingForTexts.map((name) => `the secret ${name}`)].join(" and ")}: no text would be sent. Follow docs/operations.md, or leave SMS_GATEWAY empty.`,
    );
  const siteKey = String(config.vars?.TURNSTILE_SITE_KEY ?? "");
  if (TEST_SITE_KEY.test(siteKey))
    problems.push(
      "TURNSTILE_SITE_KEY is one of Cloudflare's test keys: every request would be quarantined. Use your own widget's key in wrangler.toml, or leave it empty.",
    );
  if (siteKey && secrets && !secrets.includes("TURNSTILE_SECRET"))
    problems.push(
      "TURNSTILE_SITE_KEY is set but its secret is not: no visitor would be checked. Run `npx wrangler secret put TURNSTILE_SECRET`, or leave the key empty in wrangler.toml.",
    );
  return problems;
}
