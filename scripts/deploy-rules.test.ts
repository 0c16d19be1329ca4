import { expect, test } from "vitest";
import { unstable_readConfig } from "wrangler";

import {
  type DeployConfig,
  deployProblems,
  deployWarnings,
  domainArguments,
  NEEDED_SECRETS,
  queuesOf,
} from "./deploy-rules.ts";

const ID = "0a1b2c3d-0000-4000-8000-0123456789ab";
const sound = {
  workers_dev: false,
  vars: {
    PAYMENTS: "stripe",
    SITE_HOST: "naturestrip.example",
    ADMIN_PASSKEYS: "required",
    SAMPLE_CLAIMS: "off",
    BUSINESS_NAME: "Ryde Lawns Pty Ltd",
    BUSINESS_ABN: "51 824 753 556",
    BUSINESS_ADDRESS: "PO Box 12, Ryde NSW 2112",
    CONTACT_PHONE: "1800 123 456",
    CONTACT_EMAIL: "hello@rydelawns.com.au",
  },
  d1_databases: [{ binding: "DB", database_id: ID }],
};
const allSecrets = Object.keys(NEEDED_SECRETS);
const strict = { allowDirect: false };

test("a complete configuration may be deployed", () => {
  expect(deployProblems(sound, allSecrets, strict)).toEqual([]);
});

test("each missing secret is named, with its purpose and the command that sets it", () => {
  for (const name of allSecrets) {
    const others = allSecrets.filter((one) => one !== name);
    const problems = deployProblems(sound, others, strict);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(`npx wrangler secret put ${name}`);
  }
  expect(deployProblems(sound, [], strict)).toHaveLength(allSecrets.length);
});

test("a deployment that cannot tell visitors apart is refused", () => {
  const without = allSecrets.filter((name) => name !== "ORIGIN_HASH_KEY");
  expect(deployProblems(sound, without, strict)).toEqual([
    expect.stringMatching(
      /ORIGIN_HASH_KEY is not set: .*fake requests.*npx wrangler secret put ORIGIN_HASH_KEY/,
    ),
  ]);
});

test("a missing or made-up database ID is refused, with the command that creates a database", () => {
  for (const d1_databases of [[], [{ binding: "DB" }], [{ binding: "DB", database_id: "DB" }]]) {
    const [problem] = deployProblems({ ...sound, d1_databases }, allSecrets, strict);
    expect(problem).toContain("npx wrangler d1 create naturestrip --location oc");
  }
});

test("a queue missing from the account is named, with the command that creates it", () => {
  const config = { ...sound, queues: { producers: [{ queue: "naturestrip-messages" }] } };
  expect(queuesOf(config)).toEqual(["naturestrip-messages"]);
  expect(deployProblems(config, allSecrets, { ...strict, missingQueues: [] })).toEqual([]);
  expect(deployProblems(config, allSecrets, { ...strict, missingQueues: queuesOf(config) })).toEqual([
    expect.stringContaining("npx wrangler queues create naturestrip-messages"),
  ]);
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

test("a deploy without Turnstile is warned about", () => {
  expect(deployWarnings(withKey(""))).toEqual([expect.stringContaining("campaign of fake requests")]);
  expect(deployWarnings(sound)).toHaveLength(1);
  expect(deployWarnings(withKey("0x4AAAAAAAabcdef"))).toEqual([]);
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
    expect(deployProblems(config, allSecrets, strict)).toEqual([expect.stringContaining(words)]);
  }
  expect(deployProblems(at("naturestrip.example.workers.dev", true), allSecrets, strict)).toEqual([]);
});

test("a deploy connects the site's own domain, and no other", () => {
  expect(domainArguments(at("naturestrip.example"))).toEqual(["--domain=naturestrip.example"]);
  expect(domainArguments(at("naturestrip.example.workers.dev", true))).toEqual([]);
  expect(domainArguments(at(""))).toEqual([]);
});

test("a dry run ignores secrets", () => {
  expect(deployProblems(sound, null, strict)).toEqual([]);
});

test("super admins without passkeys are only allowed locally", () => {
  for (const ADMIN_PASSKEYS of ["optional", undefined]) {
    const vars = { ...sound.vars, ADMIN_PASSKEYS };
    const problems = deployProblems({ ...sound, vars }, allSecrets, { allowDirect: true });
    expect(problems).toEqual([expect.stringContaining("a stolen password would open the admin pages")]);
  }
});

test("the specification's claims are only allowed locally", () => {
  for (const SAMPLE_CLAIMS of ["on", undefined]) {
    const vars = { ...sound.vars, SAMPLE_CLAIMS };
    const problems = deployProblems({ ...sound, vars }, allSecrets, { allowDirect: true });
    expect(problems).toEqual([expect.stringContaining("claims that no records prove")]);
  }
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
    expect.stringContaining("the secret SMS_KEYS and the secret SMS_WEBHOOK_SECRET"),
  ]);
  expect(deployProblems({ ...sound, vars: { ...vars, SMS_SENDER: "" } }, keys, strict)).toEqual([
    expect.stringContaining("SMS_SENDER in wrangler.toml"),
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
