/** Tests a production release against a fake Cloudflare. */
import { expect, test } from "vitest";

import { release, type Tools } from "./deploy-release.ts";

const RELEASE = {
  config: "build/server/wrangler.staging.json",
  commit: "0a1b2c3d4e5f",
  host: "naturestrip.example",
  domainArguments: ["--domain=naturestrip.example"],
};

/** Fakes Cloudflare: returns each health response once, then repeats the last one. */
function played(...answers: (() => Response)[]) {
  const calls: string[] = [];
  const said: string[] = [];
  const tools: Tools = {
    wrangler: async (args) => {
      calls.push(args.join(" "));
      return args.includes("time-travel") ? '\n{"bookmark":"0000-0009-ab"}' : "done";
    },
    fetch: async (url) => {
      calls.push(url);
      return (answers.length > 1 ? answers.shift()! : answers[0]!)();
    },
    say: (text) => void said.push(text),
    wait: async () => {},
  };
  return { calls, said, tools };
}

const well = (tag: string) => () => Response.json({ ok: true, version: { tag } });
const unwell = () => Response.json({ ok: false }, { status: 503 });

test("a release saves D1's bookmark, migrates and deploys with one configuration, and checks health", async () => {
  const { calls, said, tools } = played(unwell, well("older"), well(RELEASE.commit));
  await release(RELEASE, tools);
  const config = `--config ${RELEASE.config}`;
  const health = "https://naturestrip.example/api/health";
  expect(calls).toEqual([
    `d1 time-travel info DB ${config} --json`,
    `d1 migrations apply DB ${config} --remote`,
    expect.stringMatching(`^d1 execute DB ${config} --remote --yes --command PRAGMA optimize`),
    `deploy ${config} --domain=naturestrip.example --tag ${RELEASE.commit}`,
    health,
    health,
    health,
  ]);
  expect(said[0]).toMatch(
    /bookmark 0000-0009-ab\. To restore it: npm run operate -- restore-production --bookmark=0000-0009-ab --since=\S+Z --remote$/,
  );
  expect(said.at(-1)).toBe(`${health} is healthy with ${RELEASE.commit}.`);
});

test.for([
  ["an unhealthy site", unwell, '503 {"ok":false}'],
  ["the previous version", well("older"), '"tag":"older"'],
] as const)(
  "a deploy fails if its health check finds %s, and says how to roll back",
  async ([, answer, says]) => {
    const { tools } = played(answer);
    const deployed = release(RELEASE, tools);
    await expect(deployed).rejects.toThrow(says);
    await expect(deployed).rejects.toThrow("npx wrangler rollback");
  },
);

test("nothing is migrated without D1's bookmark", async () => {
  const { calls, tools } = played(unwell);
  const wrangler = async (args: string[]) => {
    calls.push(args.join(" "));
    throw new Error("D1 is away");
  };
  await expect(release(RELEASE, { ...tools, wrangler })).rejects.toThrow("D1 is away");
  expect(calls).toHaveLength(1);
});
