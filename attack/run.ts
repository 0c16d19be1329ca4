/**
 * `npm run attack`: attacks the production build on the loopback interface. It requests other tenants' rows and calls
 * the product as eight kinds of callers. It plays people who gain by cheating. It also sends cross-origin requests and
 * thousands of hostile requests. It prints its figures and fails on any finding.
 *
 * `--seed=N` repeats the same requests, and `--requests=N` sets their number. `--only=I` sends only the request of one
 * finding. `--no-build` attacks the existing build. `--holes` opens planted holes instead, and fails if the attack
 * misses one.
 */
import { figure, percentile, printTable } from "../bench/figures.ts";
import { checkNpmArguments } from "../scripts/command.ts";
import { run, step } from "../testing/tools.ts";
import { erasePlantedPeople, leaveBodiesUnfinished, readLog, fuzzSockets } from "./edges.ts";
import { fuzz, type FuzzResult } from "./fuzz.ts";
import { tryGains } from "./gains.ts";
import { type Finding, Judge, type Kind } from "./judge.ts";
import { startTarget } from "./product.ts";
import { attackHoles } from "./plant.ts";
import { type Options, readOptions } from "./options.ts";
import { searchSentMessages } from "./outgoing.ts";
import { allPages, allRoutes } from "./routes.ts";
import { listEndpoints, buildValidRequest } from "./requests.ts";
import { searchFiles } from "./storage.ts";
import { requestForeignRows } from "./strangers.ts";
import { sendCrossOrigin, type AttackContext, requestEverything } from "./walk.ts";
import { HttpClient } from "./wire.ts";
import { buildWorld } from "./world.ts";

/** From this number of hostile requests on, the attack also sends every valid request as every caller. */
const THOROUGH_FROM = 10_000;
/** Maximum duration of the whole run. */
const MAX_RUN_MS = 20 * 60_000;
const MAX_SHOWN_PER_KIND = 12;

/** Measures the time to hash a password on this machine, by signing in with a wrong password. */
async function measureHash({ wire, world, target, endpoints }: AttackContext): Promise<number> {
  const login = endpoints.find(
    (endpoint) => endpoint.kind === "call" && endpoint.path === "/api/auth/login",
  )!;
  const costs: number[] = [];
  for (let i = 0; i < 5; i++)
    costs.push((await wire.send(buildValidRequest(login, world, "visitor", target.url))).cpuMs);
  return percentile(costs, 0.5);
}

async function attack(context: AttackContext, options: Options): Promise<Record<string, string>> {
  const { judge, target } = context;
  const until = performance.now() + MAX_RUN_MS;
  const hashMs = await measureHash(context);
  const isFullRun = options.only === null;
  const named = isFullRun ? await requestForeignRows(context) : 0;
  const walked = isFullRun ? await requestEverything(context, { isSampled: !context.isThorough }) : 0;
  const crossed = isFullRun ? await sendCrossOrigin(context) : 0;
  const played = isFullRun ? await tryGains(context) : 0;
  const fuzzed: FuzzResult = await fuzz(context, { ...options, hashMs, until });
  const frames = isFullRun
    ? await fuzzSockets(context, { seed: options.seed, frames: options.requests / 20 })
    : 0;
  const unfinished = isFullRun
    ? await leaveBodiesUnfinished(context, Math.ceil(options.requests / 2_000))
    : 0;
  if (isFullRun) await erasePlantedPeople(context);
  context.wire.close();
  await target.stop();
  const searched = isFullRun ? searchFiles(context) : { bytes: 0, inFreedPages: 0 };
  const sent = isFullRun ? searchSentMessages(context) : { pushes: 0, emails: 0 };
  const lines = readLog(context);
  const costs = fuzzed.cpu.map(({ cpuMs }) => cpuMs).filter((ms) => !Number.isNaN(ms));
  const costliest = fuzzed.cpu.toSorted((a, b) => b.cpuMs - a.cpuMs)[0];
  return {
    "routes and pages": String(context.endpoints.length),
    "requests for other tenants' rows": String(named),
    "valid requests, as eight callers": String(walked),
    "from other sites": String(crossed),
    "scenarios of people who gain": String(played),
    "hostile requests": String(fuzzed.sent) + (fuzzed.isCutShort ? " (time limit reached)" : ""),
    "frames over sockets": String(frames),
    "bodies left unfinished": String(unfinished),
    "answers read": `${judge.asked}, ${(judge.bytes / 1e6).toFixed(0)} MB`,
    "2xx / 3xx / 4xx / 5xx": ["2xx", "3xx", "4xx", "5xx"]
      .map((group) => judge.statuses.get(group) ?? 0)
      .join(" / "),
    refused: String(judge.refused),
    "storage searched": `${(searched.bytes / 1e6).toFixed(0)} MB, ${searched.inFreedPages} traces in freed pages`,
    "messages searched": `${sent.pushes} notifications, ${sent.emails} emails`,
    "responses from the local proxy": String(judge.notOurs),
    "log lines": String(lines),
    "CPU per request, median / 99th percentile":
      costs.length === 0
        ? "not measured here"
        : `${figure(percentile(costs, 0.5))} / ${figure(percentile(costs, 0.99))} ms`,
    "dearest request":
      costliest && costs.length > 0 ? `${figure(costliest.cpuMs)} ms, ${costliest.where}` : "-",
    "one password": `${figure(hashMs)} ms`,
  };
}

const KIND_TITLES: readonly [kind: Kind, words: string][] = [
  ["5xx", "5xx responses"],
  ["no answer", "requests without a response"],
  ["rows", "refused requests that changed rows"],
  ["leak", "responses with another person's details"],
  ["access", "callers wrongly allowed or refused"],
  ["tenant", "responses that reveal or change other tenants' rows"],
  ["gain", "people who gained by cheating"],
  ["headers", "responses with wrong headers"],
  ["cost", "requests above their CPU limit"],
  ["storage", "traces in storage after erasure"],
  ["log", "unexpected log lines"],
];

/** Prints the first few findings of each kind. Prints repeated findings once, with their count. */
function printFindings(findings: readonly Finding[]): void {
  for (const ofKind of Map.groupBy(findings, ({ kind }) => kind).values()) {
    const groups = [...Map.groupBy(ofKind, ({ where, what }) => `${where}: ${what.slice(0, 60)}`).values()];
    for (const [first, ...others] of groups.slice(0, MAX_SHOWN_PER_KIND)) {
      const { kind, where, what, replay } = first!;
      console.error(`- ${kind}, ${where}${others.length > 0 ? `, ${others.length + 1} times` : ""}: ${what}`);
      if (replay) console.error(`  repeat: npm run attack -- --no-build ${replay}`);
    }
    if (groups.length > MAX_SHOWN_PER_KIND)
      console.error(`  … and ${groups.length - MAX_SHOWN_PER_KIND} more places`);
  }
}

async function main(): Promise<void> {
  checkNpmArguments({
    name: "attack",
    options: { seed: "text", requests: "text", only: "text", "no-build": "flag", holes: "flag" },
  });
  const options = readOptions(process.argv.slice(2));
  const started = performance.now();
  if (options.builds) await step("Build", () => run("react-router", ["build"]));
  if (options.holes) {
    if (!(await attackHoles())) process.exitCode = 1;
    return;
  }
  console.log(`Seed ${options.seed}, ${options.requests} hostile requests`);
  const target = await startTarget();
  const judge = new Judge();
  try {
    const world = await buildWorld(target);
    const endpoints = listEndpoints(allRoutes(), allPages());
    const isThorough = options.requests >= THOROUGH_FROM;
    const context = { target, world, judge, endpoints, isThorough, wire: new HttpClient(target) };
    const figures = await attack(context, options);
    printTable(
      "Attack",
      Object.entries(figures).map(([what, value]) => ({ what, value })),
    );
    printTable(
      "Found",
      KIND_TITLES.map(([kind, words]) => ({ "aim: 0": words, found: String(judge.count(kind)) })),
    );
  } finally {
    await target.stop().catch(() => {});
    target.forget();
  }
  console.log(`\n${((performance.now() - started) / 1000).toFixed(0)} s`);
  if (judge.findings.length === 0) return;
  console.error(`\n${judge.findings.length} findings`);
  printFindings(judge.findings);
  process.exitCode = 1;
}

await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.stack : error);
  process.exitCode = 2;
});
