/** What has to be there before a deploy; pure, so that each no can be tested. */

/** The part of the built configuration that a deploy depends on. */
export type DeployConfig = {
  vars?: Record<string, unknown>;
  d1_databases?: { binding: string; database_id?: string }[];
};

/** Secrets without which something does not work in production, and what that is. */
export const NEEDED_SECRETS: Readonly<Record<string, string>> = {
  STRIPE_SECRET_KEY: "nobody can buy a lead",
  STRIPE_PUBLISHABLE_KEY: "nobody can buy a lead",
  STRIPE_WEBHOOK_SECRET: "Stripe's word about payments is refused",
  BANK_DETAILS_KEYS: "providers cannot save bank details",
};

/** https://developers.cloudflare.com/turnstile/troubleshooting/testing/ */
const TEST_SITE_KEY = /^[123]x0{10,}/;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * What stands in the way of a deploy, in sentences for the operator.
 * @param secrets the names of the secrets that are set; null when nobody asked, as in a dry run
 */
export function deployProblems(
  config: DeployConfig,
  secrets: readonly string[] | null,
  options: { allowDirect: boolean },
): string[] {
  const problems: string[] = [];
  const payments = String(config.vars?.PAYMENTS);
  if (payments !== "stripe" && !options.allowDirect)
    problems.push(
      `PAYMENTS is "${payments}": leads would be handed over without a card. Set it to "stripe" in wrangler.toml, or add --allow-direct if you mean it.`,
    );
  const database = config.d1_databases?.find(({ binding }) => binding === "DB");
  if (!UUID.test(database?.database_id ?? ""))
    problems.push(
      "The database has no id. Run `npx wrangler d1 create naturestrip --location oc` and put the database_id it prints into wrangler.toml, under [[d1_databases]].",
    );
  for (const [name, consequence] of Object.entries(NEEDED_SECRETS)) {
    const isForStripe = name.startsWith("STRIPE_");
    if (secrets === null || secrets.includes(name) || (isForStripe && payments !== "stripe")) continue;
    problems.push(`The secret ${name} is not set: ${consequence}. Run \`npx wrangler secret put ${name}\`.`);
  }
  const siteKey = String(config.vars?.TURNSTILE_SITE_KEY ?? "");
  if (TEST_SITE_KEY.test(siteKey))
    problems.push(
      "TURNSTILE_SITE_KEY is one of Cloudflare's keys for testing: every request would be kept off the market. Put your own widget's key into wrangler.toml, or an empty text.",
    );
  if (siteKey && secrets && !secrets.includes("TURNSTILE_SECRET"))
    problems.push(
      "TURNSTILE_SITE_KEY is set but its secret is not: nobody is checked. Run `npx wrangler secret put TURNSTILE_SECRET`, or empty the key in wrangler.toml.",
    );
  return problems;
}
