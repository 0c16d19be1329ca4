/**
 * A module that wraps the built Worker. It reports in a response header which tables the request changed, in D1 and in
 * the objects. It lets the attack set a request's IP address, run the schedule, and write to D1 and the bucket.
 * Otherwise the Worker is unchanged.
 */
export const ROWS_HEADER = "x-attack-rows";
export const ADDRESS_HEADER = "x-attack-address";
/** Counts the objects' rows under this name, instead of a table's. */
export const OBJECT_ROWS = "(objects)";
export const SCHEDULE_PATH = "/attack/schedule";
export const BATCH_PATH = "/attack/batch";
/** Stores the body in the bucket, under the key in the query. */
export const FILE_PATH = "/attack/file?key=";
/** Opens the planted hole with the name in the body; see plant.ts. */
export const HOLE_PATH = "/attack/hole";

export const COUNTING_WRAPPER = `
import { AsyncLocalStorage } from "node:async_hooks";
import * as built from "./index.js";
export * from "./index.js";

const current = new AsyncLocalStorage();
/** Set while an alarm runs, which belongs to no request. */
const byAlarm = new AsyncLocalStorage();
let cursors = [];

/** Counts rows written in an object. Requests run one at a time, so writes outside alarms are from the current one. */
function counted(Base) {
  return class extends Base {
    constructor(ctx, env) {
      const { sql } = ctx.storage;
      const exec = sql.exec.bind(sql);
      sql.exec = (query, ...args) => {
        const cursor = exec(query, ...args);
        const isWrite = /^\\s*(insert|update|delete|replace)/i.test(query);
        if (isWrite && !byAlarm.getStore()) cursors.push(cursor);
        return cursor;
      };
      super(ctx, env);
    }
    alarm(info) {
      return byAlarm.run(true, () => super.alarm(info));
    }
  };
}
export class LeadExchange extends counted(built.LeadExchange) {}
export class BusinessRoom extends counted(built.BusinessRoom) {}

const WRITES = /\\b(?:insert\\s+(?:or\\s+\\w+\\s+)?into|update(?:\\s+or\\s+\\w+)?|delete\\s+from|replace\\s+into)\\s+["\`]?(\\w+)/i;
let isCounting = false;

/** Counts D1's rows. Every statement passes through D1's own session object. */
function countD1(db) {
  if (isCounting) return;
  isCounting = true;
  const session = db.alwaysPrimarySession;
  const send = session._send.bind(session);
  session._send = async (endpoint, query, ...rest) => {
    const answer = await send(endpoint, query, ...rest);
    const rows = current.getStore();
    const queries = [query].flat();
    [answer].flat().forEach(({ meta }, i) => {
      const table = WRITES.exec(queries[i] ?? "")?.[1];
      if (rows && table && meta?.changes > 0) rows[table] = (rows[table] ?? 0) + meta.changes;
    });
    return answer;
  };
}

export default {
  ...built.default,
  async fetch(request, env, ctx) {
    countD1(env.DB);
    if (new URL(request.url).pathname === "${SCHEDULE_PATH}") {
      await built.default.scheduled({ cron: "* * * * *", scheduledTime: Date.now() }, env, ctx);
      return new Response("done");
    }
    if (new URL(request.url).pathname === "${BATCH_PATH}") {
      const statements = await request.json();
      await env.DB.batch(statements.map(({ sql, params }) => env.DB.prepare(sql).bind(...params)));
      return new Response("done");
    }
    if (request.url.includes("${FILE_PATH}")) {
      const key = new URL(request.url).searchParams.get("key");
      await env.FILES.put(key, await request.arrayBuffer(), { httpMetadata: { contentType: request.headers.get("Content-Type") } });
      return new Response("done");
    }
    if (new URL(request.url).pathname === "${HOLE_PATH}") {
      globalThis.openHole = await request.text();
      return new Response("done");
    }
    const headers = new Headers(request.headers);
    headers.set("CF-Connecting-IP", headers.get("${ADDRESS_HEADER}") ?? "192.0.2.1");
    headers.delete("${ADDRESS_HEADER}");
    const rows = {};
    cursors = [];
    const response = await current.run(rows, () => built.default.fetch(new Request(request, { headers }), env, ctx));
    if (response.status === 101) return response;
    const written = cursors.reduce((sum, cursor) => sum + cursor.rowsWritten, 0);
    if (written > 0) rows["${OBJECT_ROWS}"] = written;
    const copy = new Response(response.body, response);
    copy.headers.set("${ROWS_HEADER}", JSON.stringify(rows));
    return copy;
  },
};
`;
