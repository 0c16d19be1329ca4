/** Tests a production release against a fake Cloudflare. */
import { expect, test } from "vitest";

import { release, type Tools } from "./deploy-release.ts";

const RELEASE = {
  config: "build/server/wrangler.staging.json",
  commit: "0a1b2c3d4e5f",
  host: "naturestrip.example",
};

/** Fakes Cloudflare: returns each health response once, then repeats the last one. */
function createFakeTools(...answers: (() => Response)[]) {
  const calls: string[] = [];
  const printed: string[] = [];
  const tools: Tools = {
    wrangler: async (args) => {
      calls.push(args.join(" "));
      return args.includes("time-travel") ? '\n{"bookmark":"0000-0009-ab"}' : "done";
    },
    fetch: async (url) => {
      calls.push(url);
      return (answers.length > 1 ? answers.shift()! : answers[0]!)();
    },
    print: (text) => void printed.push(text),
    wait: async () => {},
  };
  return { calls, printed, tools };
}

const healthyResponse = (tag: string) => () => Response.json({ ok: true, version: { tag } });
const unhealthyResponse = () => Response.json({ ok: false }, { status: 503 });

test("a release saves D1's bookmark, migrates and deploys with one configuration, and checks health", async () => {
  const { calls, printed, tools } = createFakeTools(
    unhealthyResponse,
    healthyResponse("older"),
    healthyResponse(RELEASE.commit),
  );
  await release(RELEASE, tools);
  const config = `--config ${RELEASE.config}`;
  const health = "https://naturestrip.example/api/health";
  expect(calls).toEqual([
    `d1 time-travel info DB ${config} --json`,
    `d1 migrations apply DB ${config} --remote`,
    expect.stringMatching(`^d1 execute DB ${config} --remote --yes --command PRAGMA optimize`),
    `deploy ${config} --tag ${RELEASE.commit}`,
    health,
    health,
    health,
  ]);
  expect(printed[0]).toMatch(
    /bookmark 0000-0009-ab\. To return to it, follow docs\/operations\.md: npx wrangler d1 time-travel restore DB --bookmark=0000-0009-ab$/,
  );
  expect(printed.at(-1)).toBe(`${health} is healthy with ${RELEASE.commit}.`);
});

test.for([
  ["an unhealthy site", unhealthyResponse, '503 {"ok":false}'],
  ["the previous version", healthyResponse("older"), '"tag":"older"'],
] as const)(
  "a deploy fails if its health check finds %s, and says how to roll back",
  async ([, respond, message]) => {
    const { tools } = createFakeTools(respond);
    const deployed = release(RELEASE, tools);
    await expect(deployed).rejects.toThrow(message);
    await expect(deployed).rejects.toThrow("npx wrangler rollback");
  },
);

test("nothing is migrated without D1's bookmark", async () => {
  const { calls, tools } = createFakeTools(unhealthyResponse);
  const wrangler = async (args: string[]) => {
    calls.push(args.join(" "));
    throw new Error("D1 is away");
  };
  await expect(release(RELEASE, { ...tools, wrangler })).rejects.toThrow("D1 is away");
  expect(calls).toHaveLength(1);
});
