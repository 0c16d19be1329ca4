/**
 * Requests that the product answers before it has read their body. The next request on the connection must
 * not fail. wrangler's proxy is in front of the Worker, since it reuses its connections.
 */
import { afterAll, beforeAll, expect, test } from "vitest";

import { MAX_BODY_BYTES, MAX_DISCARDED_BYTES } from "../worker/platform/http/body.ts";
import { IS_LONG } from "../testing/long.ts";
import { type LocalProduct, startLocalProduct } from "../testing/product/local-product.ts";

/** With six connections, 24 requests reuse each connection four times. */
const TIMES = IS_LONG ? 300 : 24;
/** Parallel requests, each on a keep-alive connection. */
const MAX_PARALLEL = 6;

let product: LocalProduct;
let cookie: string;

beforeAll(async () => {
  product = await startLocalProduct();
  cookie = await product.signUp("unread-bodies");
});

afterAll(() => product?.stop());

type Kind = {
  path: string;
  status: number;
  method?: string;
  headers?: Record<string, string>;
  isSignedIn?: boolean;
  body?: string | (() => ReadableStream<Uint8Array>);
};

const FORM_TYPE = { "Content-Type": "application/x-www-form-urlencoded" };
const FOREIGN_ORIGIN = { Origin: "https://evil.example" };
const PURCHASE = "/api/lead-purchases/pur_00000000000000000000";

/** Returns a body of unknown length. */
function streamBody(bytes: number): () => ReadableStream<Uint8Array> {
  return () => new Blob(["x".repeat(bytes)]).stream();
}

/** Every kind of response to a request whose body was not read, or not completely. */
const KINDS: Record<string, Kind> = {
  "from another site": { path: "/api/leads", status: 403, headers: FOREIGN_ORIGIN },
  "of an unknown person": { path: `${PURCHASE}/archive`, status: 401 },
  "that need no body": { path: `${PURCHASE}/archive`, status: 404, isSignedIn: true },
  "that delete": { path: PURCHASE, status: 404, method: "DELETE", isSignedIn: true },
  "for a call there is not": { path: "/api/nothing", status: 404 },
  "of a wrong type": { path: "/api/leads", status: 415, headers: { "Content-Type": "text/plain" } },
  "that are no form of a page": { path: "/get-quote", status: 415 },
  "for a page without a form": { path: "/privacy-policy", status: 405, headers: FORM_TYPE },
  "a little too large": { path: "/api/leads", status: 413, body: "x".repeat(MAX_BODY_BYTES + 1) },
  "far too large": { path: "/api/leads", status: 413, body: "x".repeat(MAX_DISCARDED_BYTES) },
  "too large for a page": {
    path: "/get-quote",
    status: 413,
    body: "x".repeat(2 * MAX_BODY_BYTES),
    headers: FORM_TYPE,
  },
  "too large without saying so": { path: "/api/leads", status: 413, body: streamBody(2 * MAX_BODY_BYTES) },
  "from another site in pieces": {
    path: "/api/leads",
    status: 403,
    body: streamBody(2_000),
    headers: FOREIGN_ORIGIN,
  },
};

async function send({ path, method = "POST", headers, isSignedIn, body }: Kind): Promise<number> {
  const given = body ?? JSON.stringify({ note: "x".repeat(2_000) });
  const response = await fetch(`${product.url}${path}`, {
    method,
    headers: {
      Origin: product.url,
      "Content-Type": "application/json",
      ...(isSignedIn && { Cookie: cookie }),
      ...headers,
    },
    body: typeof given === "string" ? given : given(),
    duplex: "half",
  } as RequestInit);
  await response.arrayBuffer();
  return response.status;
}

test.each(Object.entries(KINDS))(
  `${TIMES} requests %s get ${TIMES} responses, none of them a 5xx`,
  async (_, kind) => {
    const statuses: Record<number, number> = {};
    let left = TIMES;
    async function sendNextRequests(): Promise<void> {
      while (left-- > 0) {
        const status = await send(kind);
        statuses[status] = (statuses[status] ?? 0) + 1;
      }
    }
    await Promise.all(Array.from({ length: MAX_PARALLEL }, sendNextRequests));
    expect(statuses).toEqual({ [kind.status]: TIMES });
  },
);
