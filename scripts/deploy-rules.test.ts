import { expect, test } from "vitest";
import { unstable_readConfig } from "wrangler";

import {
  type AccountFacts,
  bucketsOf,
  type DeployConfig,
  deployChecks,
  formatChecklist,
  isMissing,
  NEEDED_SECRETS,
  queuesOf,
  routesOf,
  zonesOf,
} from "./deploy-rules.ts";

const ID = "0a1b2c3d-0000-4000-8000-0123456789ab";
const sound = {
  workers_dev: false,
  vars: {
    SITE_HOST: "naturestrip.example",
    BUSINESS_NAME: "Ryde Lawns Pty Ltd",
    BUSINESS_ABN: "51 824 753 556",
    BUSINESS_ADDRESS: "PO Box 12, Ryde NSW 2112",
    CONTACT_PHONE: "1800 123 456",
    CONTACT_EMAIL: "hello@rydelawns.com.au",
  },
  d1_databases: [{ binding: "DB", database_id: ID }],
  queues: {
    producers: [{ queue: "naturestrip-messages" }],
    consumers: [{ queue: "naturestrip-messages" }, { queue: "naturestrip-email-events" }],
  },
  r2_buckets: [{ bucket_name: "naturestrip-files" }],
};
const allSecrets = Object.keys(NEEDED_SECRETS);
const strict = { allowDirect: false };

/** An account with all that the configuration needs, but for `missing`. */
const accountWith = (secrets: readonly string[], missing: Partial<AccountFacts> = {}): AccountFacts => ({
  secrets,
  queues: queuesOf(sound),
  buckets: bucketsOf(sound),
  zones: ["naturestrip.example"],
  ...missing,
});

/** Returns what is missing, a line each. */
const deployProblems = (
  config: DeployConfig,
  secrets: readonly string[],
  options: { allowDirect: boolean },
  missing?: Partial<AccountFacts>,
) =>
  deployChecks(config, accountWith(secrets, missing), options)
    .filter(isMissing)
    .map(({ name, problem }) => `${name} ${problem}`);

test("a complete configuration may be deployed", () => {
  expect(deployProblems(sound, allSecrets, strict)).toEqual([]);
});

test("each missing secret is named, with its purpose and the command that sets it", () => {
  for (const name of allSecrets) {
    const others = allSecrets.filter((one) => one !== name);
    const problems = deployProblems(sound, others, strict);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(NEEDED_SECRETS[name]!);
    expect(problems[0]).toContain(`npx wrangler secret put ${name}`);
  }
  expect(deployProblems(sound, [], strict)).toHaveLength(allSecrets.length);
});

test("a missing or made-up database ID is refused, with the command that creates a database", () => {
  for (const d1_databases of [[], [{ binding: "DB" }], [{ binding: "DB", database_id: "DB" }]]) {
    const [problem] = deployProblems({ ...sound, d1_databases }, allSecrets, strict);
    expect(problem).toContain("npx wrangler d1 create naturestrip --location oc");
  }
});

test("a queue, a bucket or a domain that the account lacks is named, with what to do", () => {
  for (const [missing, words] of [
    [
      { queues: ["naturestrip-email-events"] },
      /^queue naturestrip-messages .*npx wrangler queues create naturestrip-messages/,
    ],
    [{ buckets: [] }, /^bucket naturestrip-files .*npx wrangler r2 bucket create naturestrip-files/],
    [{ zones: [] }, /^domain of naturestrip\.example .*Cloudflare's dashboard/],
  ] as const)
    expect(deployProblems(sound, allSecrets, strict, missing)).toEqual([expect.stringMatching(words)]);
});

/** Returns the advice in the checklist. */
const advice = (config: DeployConfig) =>
  formatChecklist(deployChecks(config, accountWith([...allSecrets, "TURNSTILE_SECRET"]), strict)).match(
    /^\[!\] .*/gm,
  );

test("a deploy without Turnstile is advised to switch it on, and not blocked", () => {
  expect(advice(sound)).toEqual([expect.stringContaining("campaign of fake requests")]);
  expect(advice(withKey("0x4AAAAAAAabcdef"))).toBeNull();
});

test("a host may be a subdomain of the account's domain", () => {
  expect(zonesOf(at("www.naturestrip.example"))).toEqual(["www.naturestrip.example", "naturestrip.example"]);
  expect(deployProblems(at("www.naturestrip.example"), allSecrets, strict)).toEqual([]);
  expect(zonesOf(at("naturestrip.example.workers.dev", true))).toEqual([]);
});

test("selling leads without a card is refused unless explicitly allowed; then Stripe's keys are not needed", () => {
  const direct = { ...sound, vars: { ...sound.vars, PAYMENTS: "direct" } };
  expect(deployProblems(direct, allSecrets, strict)).toEqual([expect.stringContaining("--allow-direct")]);
  expect(deployProblems(direct, ["BANK_DETAILS_KEYS", "ORIGIN_HASH_KEY"], { allowDirect: true })).toEqual([]);
});

function withKey(siteKey: string) {
  return { ...sound, vars: { ...sound.vars, TURNSTILE_SITE_KEY: siteKey } };
}

test("only one of Turnstile's keys, or its test keys, are refused", () => {
  const real = withKey("0x4AAAAAAAabcdef");
  expect(deployProblems(real, [...allSecrets, "TURNSTILE_SECRET"], strict)).toEqual([]);
  expect(deployProblems(real, allSecrets, strict)).toEqual([
    expect.stringContaining("npx wrangler secret put TURNSTILE_SECRET"),
  ]);
  const testing = withKey("1x00000000000000000000AA");
  expect(deployProblems(testing, [...allSecrets, "TURNSTILE_SECRET"], strict)).toEqual([
    expect.stringContaining("test keys"),
  ]);
});

/** Returns a valid configuration with another site host. */
function at(SITE_HOST: string, workers_dev = false): DeployConfig {
  return { ...sound, workers_dev, vars: { ...sound.vars, SITE_HOST } };
}

test("a site with no host, a malformed one or two is refused, with what to do", () => {
  for (const [config, words] of [
    [at(""), "SITE_HOST is empty"],
    [at("localhost:8787"), 'SITE_HOST is "localhost:8787"'],
    [at("https://naturestrip.example"), "without https://"],
    [at("naturestrip.example/"), "must be a host"],
    [at("Naturestrip.example"), "in lower case"],
    [at("naturestrip.example", true), "Set workers_dev = false"],
    [at("naturestrip.example.workers.dev"), "Set workers_dev = true"],
    [{ ...sound, vars: { ...sound.vars, SITE_HOST: undefined } }, "SITE_HOST is empty"],
  ] as const) {
    expect(deployProblems(config, allSecrets, strict)[0]).toContain(words);
  }
  expect(deployProblems(at("naturestrip.example.workers.dev", true), allSecrets, strict)).toEqual([]);
});

test("the build connects the site's own domain, and no other", () => {
  expect(routesOf(at("naturestrip.example"))).toEqual([
    { pattern: "naturestrip.example", custom_domain: true },
  ]);
  expect(routesOf(at("naturestrip.example.workers.dev", true))).toEqual([]);
  expect(routesOf(at(""))).toEqual([]);
});

test("without an account, what only the account knows is not checked, and nothing else is missing", () => {
  const checks = deployChecks(sound, null, strict);
  expect(checks.filter(isMissing)).toEqual([]);
  expect(checks.filter(({ only }) => only === "unknown").map(({ name }) => name)).toEqual([
    "queue naturestrip-messages",
    "queue naturestrip-email-events",
    "bucket naturestrip-files",
    "domain of naturestrip.example",
    ...allSecrets.map((name) => `secret ${name}`),
  ]);
  const list = formatChecklist(checks);
  expect(list).toContain("[x] SITE_HOST\n");
  expect(list).toMatch(/\[\?\] queue naturestrip-messages not checked: .*npx wrangler login/);
  expect(list.split("\n").at(-1)).toBe("Nothing is missing, and 9 could not be checked.");
});

test("the checklist ends with how many entries are missing", () => {
  const list = formatChecklist(deployChecks(at(""), accountWith(allSecrets.slice(1)), strict)).split("\n");
  expect(list.filter((line) => line.startsWith("[ ]"))).toHaveLength(2);
  expect(list.at(-1)).toBe("2 of 16 are missing.");
});

test.each([
  [
    "super admins without passkeys",
    { ADMIN_PASSKEYS: "optional" },
    "a stolen password would open the admin pages",
  ],
  ["the specification's claims", { SAMPLE_CLAIMS: "on" }, "claims that no records prove"],
] as const)("%s are only allowed locally", (_, changed, problem) => {
  const vars = { ...sound.vars, ...changed };
  const problems = deployProblems({ ...sound, vars }, allSecrets, { allowDirect: true });
  expect(problems).toEqual([expect.stringContaining(problem)]);
});

test("a deploy that does not name a real business is refused, and so are the defaults of wrangler.toml", () => {
  const defaults = unstable_readConfig({ config: "wrangler.toml" }).vars as Record<string, string>;
  const fakes: [name: string, ...values: (string | undefined)[]][] = [
    ["BUSINESS_NAME", undefined, " ", defaults.BUSINESS_NAME],
    ["BUSINESS_ABN", undefined, "51 824 753 557", "51 824", defaults.BUSINESS_ABN],
    ["BUSINESS_ADDRESS", undefined, "", defaults.BUSINESS_ADDRESS],
    ["CONTACT_PHONE", undefined, "", "1800975707", defaults.CONTACT_PHONE],
    ["CONTACT_PHONE", "+61 1800 975 711", "1800-975-711", "1300 975 710", "1800 160 401"],
    ["CONTACT_PHONE", "0491 570 006", "+61 491 579 455", "(02) 5550 1234", "08 7010 9999"],
    ["CONTACT_EMAIL", undefined, "", defaults.CONTACT_EMAIL],
  ];
  for (const [name, ...values] of fakes)
    for (const value of values) {
      const vars = { ...sound.vars, [name]: value };
      expect(deployProblems({ ...sound, vars }, allSecrets, strict), `${name} ${value}`).toEqual([
        expect.stringMatching(`^${name} is ".*", which is not real`),
      ]);
    }
});

test.each(["1800 975 712", "1800 975 777", "0491 570 007", "02 5551 1234", "13 12 34"])(
  "the phone number %s may be a real business's",
  (CONTACT_PHONE) => {
    const vars = { ...sound.vars, CONTACT_PHONE };
    expect(deployProblems({ ...sound, vars }, allSecrets, strict)).toEqual([]);
  },
);

test("incomplete text message settings are refused, with what is missing", () => {
  const vars = { ...sound.vars, SMS_GATEWAY: "mobilemessage", SMS_SENDER: "Naturestrip" };
  const keys = [...allSecrets, "SMS_KEYS", "SMS_WEBHOOK_SECRET"];
  expect(deployProblems({ ...sound, vars }, keys, strict)).toEqual([]);
  expect(deployProblems({ ...sound, vars }, allSecrets, strict)).toEqual([
    expect.stringContaining("secret SMS_KEYS is not set"),
    expect.stringContaining("secret SMS_WEBHOOK_SECRET is not set"),
  ]);
  expect(deployProblems({ ...sound, vars: { ...vars, SMS_SENDER: "" } }, keys, strict)).toEqual([
    expect.stringContaining("SMS_SENDER is missing"),
  ]);
});

test("a message stand-in is refused, as a setting and as a secret", () => {
  for (const name of ["MESSAGE_STAND_IN", "PUSH_STAND_IN"]) {
    const expected = [expect.stringContaining(`npx wrangler secret delete ${name}`)];
    const asSetting = { ...sound, vars: { ...sound.vars, [name]: "http://127.0.0.1:1" } };
    expect(deployProblems(asSetting, allSecrets, strict)).toEqual(expected);
    expect(deployProblems(sound, [...allSecrets, name], strict)).toEqual(expected);
  }
});
