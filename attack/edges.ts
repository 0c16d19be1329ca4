/** Attacks that need several requests: WebSocket frames, bodies that never end, and traces of erased people. */
import { connect } from "node:net";
import { setTimeout as after } from "node:timers/promises";

import { eq } from "drizzle-orm";
import * as fc from "fast-check";

import { operatorJobs } from "../worker/tables.ts";
import { newId } from "../worker/platform/ids.ts";
import { sendAndJudge } from "./send-and-judge.ts";
import { SCHEDULE_PATH } from "./counting.ts";
import { findLeaks } from "./judge.ts";
import { oddText, oddValue } from "./odd.ts";
import type { Target } from "./product.ts";
import type { AttackContext } from "./walk.ts";
import { type CallerKind, ERASED, PLANTED } from "./people.ts";
import { traceFinder } from "./traces.ts";

const SOCKET_CALLERS: readonly CallerKind[] = ["provider", "stranger", "team", "admin"];
const SOCKETS = ["/api/exchange/inner-west/live", "/api/business/live"];
const SINCE = ["", "?since=0:0", "?since=x", "?since=-1:9e9", "?since=%00", `?since=${"9".repeat(2_000)}`];
/** Above a hibernating socket's limit, and far above what our sockets accept. */
const HUGE_FRAME = "x".repeat(1_100_000);
/** Wait until the effects of a frame have ended. */
const SETTLE_MS = 300;

const frame = fc.oneof(
  oddText,
  oddValue.map((value) => JSON.stringify(value) ?? ""),
  fc.uint8Array({ maxLength: 300 }).map((bytes) => bytes.slice()),
  fc.constantFrom('{"type":"ping"}', "ping", HUGE_FRAME),
);

type OpenedSocket = { socket: WebSocket; caller: CallerKind; frames: string[]; opened: Promise<boolean> };

function openSocket({ target, world }: AttackContext, caller: CallerKind, path: string): OpenedSocket {
  const headers = { Cookie: world.cookies[caller], Origin: target.url };
  // Node's WebSocket accepts headers; a browser's does not.
  const socket = new WebSocket(target.url.replace("http", "ws") + path, { headers } as never);
  const frames: string[] = [];
  socket.addEventListener("message", ({ data }) => void frames.push(String(data)));
  const opened = new Promise<boolean>((resolve) => {
    socket.addEventListener("open", () => resolve(true));
    socket.addEventListener("error", () => resolve(false));
    socket.addEventListener("close", () => resolve(false));
  });
  return { socket, caller, frames, opened };
}

/** Sends frames of every kind over every kind of socket. @returns the number of frames sent */
export async function fuzzSockets(
  context: AttackContext,
  { seed, frames }: { seed: number; frames: number },
): Promise<number> {
  const { judge, world } = context;
  await world.renew();
  const witness = openSocket(context, "provider", SOCKETS[0]!);
  await witness.opened;
  const plans = fc.sample(
    fc.record({
      caller: fc.constantFrom(...SOCKET_CALLERS),
      path: fc.constantFrom(...SOCKETS),
      since: fc.constantFrom(...SINCE),
      outgoing: fc.array(frame, { minLength: 1, maxLength: 12 }),
    }),
    { seed, numRuns: Math.ceil(frames / 6) },
  );
  let sent = 0;
  for (const { caller, path, since, outgoing } of plans) {
    const heard = openSocket(context, caller, path + since);
    if (await heard.opened) {
      for (const one of outgoing) {
        if (heard.socket.readyState !== WebSocket.OPEN) break;
        heard.socket.send(one);
        sent += 1;
      }
      await after(1);
    }
    for (const leak of findLeaks(caller, heard.frames.join("\n"))) {
      judge.add({ kind: "leak", where: `${path} as ${caller}`, what: leak });
    }
    heard.socket.close();
  }
  await after(SETTLE_MS);
  if (witness.socket.readyState !== WebSocket.OPEN) {
    const what = "a quiet socket was closed while others received frames";
    judge.add({ kind: "no answer", where: SOCKETS[0]!, what });
  }
  witness.socket.close();
  return sent;
}

const BODIES = [
  ["/api/leads", "application/json"],
  ["/api/auth/login", "application/json"],
  ["/api/stripe/webhook", "application/json"],
  ["/api/user/personal-info", "application/json"],
  ["/get-quote", "application/x-www-form-urlencoded"],
  ["/login", "multipart/form-data; boundary=b"],
  ["/login.data", "application/x-www-form-urlencoded"],
] as const;

function startBody(target: Target, [path, type]: (typeof BODIES)[number], cookie: string) {
  const { hostname, port, host } = new URL(target.url);
  const socket = connect(Number(port), hostname);
  socket.on("error", () => {});
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nOrigin: ${target.url}\r\nCookie: ${cookie}\r\n` +
      `Content-Type: ${type}\r\nContent-Length: 5000\r\n\r\n{"username":"`,
  );
  return socket;
}

/** Leaves many request bodies unfinished at once, and checks that other requests still get responses. */
export async function leaveBodiesUnfinished(context: AttackContext, rounds: number): Promise<number> {
  const { target, world, endpoints } = context;
  await world.renew();
  const sockets = Array.from({ length: rounds }, () =>
    BODIES.map((body) => startBody(target, body, world.cookies.provider)),
  ).flat();
  const health = endpoints.find(({ path }) => path === "/api/health")!;
  const healthRequest = { method: "GET", path: health.path, headers: {}, body: null };
  for (let i = 0; i < 20; i++) {
    // A Worker that waits for the unfinished bodies misses this request's deadline.
    await sendAndJudge(context, "GET /api/health", "visitor", healthRequest);
    for (const socket of sockets) socket.write("x");
    await after(10);
  }
  for (const socket of sockets) socket.destroy();
  await after(SETTLE_MS);
  return sockets.length;
}

/** Erases the test users as an operator would. */
export async function erasePlantedPeople({ target, judge }: AttackContext): Promise<void> {
  const now = Date.now();
  for (const [surname, phone] of ERASED) {
    const id = newId("user").replace("user", "job");
    const input = { phone, email: `${surname.toLowerCase()}.mail@example.org` };
    await target.db
      .insert(operatorJobs)
      .values({ id, kind: "erase_person", input, createdAt: now, updatedAt: now });
    for (let i = 0; i < 20; i++) {
      await fetch(target.url + SCHEDULE_PATH);
      const [job] = await target.db.select().from(operatorJobs).where(eq(operatorJobs.id, id));
      if (job?.state === "done") break;
      if (i === 19) judge.add({ kind: "storage", where: "erasure", what: `the job is ${job?.state}` });
      await after(SETTLE_MS);
    }
  }
  // The sweep deletes the files of photos that an erasure has cleared.
  await fetch(target.url + SCHEDULE_PATH);
}

/** The runtime's own log lines about broken connections. The product does not write them. */
const RUNTIME_LOG_LINES = /^(kj|workerd|capnp)[/:]|disconnected:/;

/** Checks that our log has only JSON lines, without personal details or unexpected errors. @returns the line count */
export function readLog({ target, judge }: AttackContext): number {
  const lines = target.lines.filter((line) => !RUNTIME_LOG_LINES.test(line));
  for (const line of lines) {
    const report = (what: string) => judge.add({ kind: "log", where: "log", what });
    const traces = traceFinder(line)(PLANTED.flatMap((one) => (one.isId ? [] : one.traces)));
    if (traces.length > 0) report(`${traces.join(", ")} in ${line.slice(0, 300)}`);
    try {
      const { level, event } = JSON.parse(line) as { level: string; event: string };
      // A request's own line contains its status, which the judge has already checked.
      if (level === "error" && event !== "request") report(line.slice(0, 500));
    } catch {
      report(`not ours: ${line.slice(0, 300)}`);
    }
  }
  return lines.length;
}
