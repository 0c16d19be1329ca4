/**
 * A module that wraps the built Worker and counts each claim's cost: rows read and written in the exchange
 * and in D1. Otherwise the Worker runs unchanged.
 */
export const COUNTING_WRAPPER = `
import * as built from "./index.js";
export * from "./index.js";

export class LeadExchange extends built.LeadExchange {
  constructor(ctx, env) {
    const { sql } = ctx.storage;
    const exec = sql.exec.bind(sql);
    const cursors = [];
    sql.exec = (...args) => {
      const cursor = exec(...args);
      cursors.push(cursor);
      return cursor;
    };
    super(ctx, env);
    this.takeRows = async () => {
      const rows = { read: 0, written: 0 };
      for (const cursor of cursors.splice(0)) {
        rows.read += cursor.rowsRead;
        rows.written += cursor.rowsWritten;
      }
      return rows;
    };
  }
}
LeadExchange.prototype.benchRows = function () {
  return this.takeRows();
};

const d1 = { read: 0, written: 0 };
let isCounting = false;

/** Counts D1's rows. Every statement passes through D1's own session class. */
function countD1(db) {
  if (isCounting) return;
  isCounting = true;
  const sessions = Object.getPrototypeOf(db.alwaysPrimarySession);
  const send = sessions._send;
  sessions._send = async function (...args) {
    const answer = await send.apply(this, args);
    for (const { meta } of Array.isArray(answer) ? answer : [answer]) {
      d1.read += meta?.rows_read ?? 0;
      d1.written += meta?.rows_written ?? 0;
    }
    return answer;
  };
}

export default {
  ...built.default,
  fetch(request, env, ctx) {
    countD1(env.DB);
    if (new URL(request.url).pathname === "/bench/rows") {
      const rows = { ...d1 };
      d1.read = d1.written = 0;
      return Response.json(rows);
    }
    return built.default.fetch(request, env, ctx);
  },
};
`;
