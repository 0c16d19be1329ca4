import { expect, test } from "vitest";

import { deployProblems, NEEDED_SECRETS } from "./deploy-rules.ts";

const ID = "0a1b2c3d-0000-4000-8000-0123456789ab";
const sound = { vars: { PAYMENTS: "stripe" }, d1_databases: [{ binding: "DB", database_id: ID }] };
const allSecrets = Object.keys(NEEDED_SECRETS);
const strict = { allowDirect: false };

test("a configuration with everything in place may be deployed", () => {
  expect(deployProblems(sound, allSecrets, strict)).toEqual([]);
});

test("each missing secret is named, with what it is for and the command that sets it", () => {
  for (const name of allSecrets) {
    const others = allSecrets.filter((one) => one !== name);
    const problems = deployProblems(sound, others, strict);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(`npx wrangler secret put ${name}`);
  }
  expect(deployProblems(sound, [], strict)).toHaveLength(allSecrets.length);
});

test("a database without an id, or with a made-up one, is refused with the command that makes one", () => {
  for (const d1_databases of [[], [{ binding: "DB" }], [{ binding: "DB", database_id: "DB" }]]) {
    const [problem] = deployProblems({ ...sound, d1_databases }, allSecrets, strict);
    expect(problem).toContain("npx wrangler d1 create naturestrip --location oc");
  }
});

test("handing leads over without a card is refused unless it is said aloud; then Stripe's keys are not needed", () => {
  const direct = { ...sound, vars: { PAYMENTS: "direct" } };
  expect(deployProblems(direct, allSecrets, strict)).toEqual([expect.stringContaining("--allow-direct")]);
  expect(deployProblems(direct, ["BANK_DETAILS_KEYS"], { allowDirect: true })).toEqual([]);
});

function withKey(siteKey: string) {
  return { ...sound, vars: { ...sound.vars, TURNSTILE_SITE_KEY: siteKey } };
}

test("half of Turnstile's keys, or its keys for testing, are refused", () => {
  const real = withKey("0x4AAAAAAAabcdef");
  expect(deployProblems(real, [...allSecrets, "TURNSTILE_SECRET"], strict)).toEqual([]);
  expect(deployProblems(real, allSecrets, strict)).toEqual([
    expect.stringContaining("npx wrangler secret put TURNSTILE_SECRET"),
  ]);
  const testing = withKey("1x00000000000000000000AA");
  expect(deployProblems(testing, [...allSecrets, "TURNSTILE_SECRET"], strict)).toEqual([
    expect.stringContaining("keys for testing"),
  ]);
});

test("a dry run asks nobody about secrets", () => {
  expect(deployProblems(sound, null, strict)).toEqual([]);
});
