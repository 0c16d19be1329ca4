/** Hostile values for every kind of input. */
import * as fc from "fast-check";

/** Part of fuzzed texts. Unescaped in a page it becomes a tag, which proves missing escaping. */
export const TAG = "<x-attack-9q7>";
/** Follows a line break in fuzzed texts. If it appears as a response header, it proves header injection. */
export const SMUGGLED = "x-attack-smuggled";

/** Repeated to a large text. Each is slow for a careless pattern, or grows when it is normalised. */
const REPEATED = ["a", "0 ", "a@", "www.", "(", "㌖", "e\u0301", "\u0301", "\u3000", "👩‍👩‍👧‍👦"];

/** Texts that mean something to a database, a page, a log or a spreadsheet. fast-check knows the odd characters. */
const INJECTIONS = [
  `"'${TAG}</script></title>{{7*7}}\${7*7}`,
  `x\r\n${SMUGGLED}: 1`,
  "' OR 1=1; DROP TABLE leads; --",
  "%00%0d%0a%E0%A4%A",
  "../../../../etc/passwd",
  '=HYPERLINK("https://evil.example")',
  "javascript:alert(1)",
  "//evil.example",
];

export const oddText = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...INJECTIONS) },
  { weight: 1, arbitrary: fc.constantFrom(...REPEATED).map((part) => part.repeat(30_000 / part.length)) },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 300 }) },
  { weight: 1, arbitrary: fc.string({ unit: "grapheme", maxLength: 300 }) },
);

export const oddValue = fc.oneof(
  { weight: 3, arbitrary: oddText as fc.Arbitrary<unknown> },
  { weight: 3, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 1 }).map((value) => Array(2_000).fill(value)) },
);

/** Fields that would grant rights if the Worker read them from a body. */
export const ESCALATED_RIGHTS = {
  id: "user_00000000000000000000",
  isSuperAdmin: true,
  isVerified: true,
  isActive: true,
  userType: "provider",
  businessId: "user_00000000000000000000",
  teamOwnerId: "user_00000000000000000000",
  amountPaid: "0.00",
  paymentStatus: "completed",
  price: "0.01",
  priceCents: 1,
  status: "available",
  listingState: "listed",
  customerId: "user_00000000000000000000",
  createdAt: 0,
};

/** Whole bodies that are not sensible JSON, as latin1: cut off, repeated, nested, large or no text at all. */
export const oddBody = fc.oneof(
  fc.json().chain((text) => fc.nat(text.length).map((end) => text.slice(0, end))),
  fc.json().map((text) => text + text),
  fc.constantFrom("[", '{"a":').map((opening) => opening.repeat(20_000) + "]".repeat(20_000)),
  fc.constantFrom("x", "\u0000", '"', "{},").map((part) => `[${part.repeat(70_000 / part.length)}`),
  fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes).toString("latin1")),
);

export const CONTENT_TYPES = [
  "application/json",
  "application/json; charset=utf-16",
  "application/json;",
  "APPLICATION/JSON",
  "application/problem+json",
  "text/plain",
  "application/x-www-form-urlencoded",
  "application/x-www-form-urlencoded; charset=ebcdic",
  "multipart/form-data",
  "multipart/form-data; boundary=",
  "multipart/form-data; boundary=b",
  `multipart/form-data; boundary=${"b".repeat(3_000)}`,
  "multipart/mixed; boundary=b",
  "",
];

/** Headers that proxies or frameworks might trust. */
export const ODD_HEADERS: readonly Readonly<Record<string, string>>[] = [
  { "X-Forwarded-Host": "evil.example", "X-Forwarded-Proto": "https" },
  { Forwarded: "for=127.0.0.1;host=evil.example" },
  { "X-HTTP-Method-Override": "DELETE" },
  { "X-Original-URL": "/admin", "X-Rewrite-URL": "/admin" },
  { "Content-Encoding": "gzip" },
  { "Content-Encoding": "br, gzip" },
  { "Accept-Encoding": "zstd, *;q=0" },
  { Accept: "text/x-script" },
  { "Accept-Language": "x".repeat(4_000) },
  { Range: "bytes=0-0,5-1,-1" },
  { "If-None-Match": '*, W/"x", "'.repeat(200) },
  { "If-Modified-Since": "Thu, 99 Foo 9999 99:99:99 GMT" },
  { "Idempotency-Key": "k".repeat(3_000) },
  { "Idempotency-Key": "\u00e9\u00ff" },
  { "Stripe-Signature": "t=1,v1=00" },
  { "Stripe-Signature": `t=${"9".repeat(400)},v1=${"f".repeat(4_000)}` },
  { "cf-ray": "quillfeather" },
  { "CF-Visitor": '{"scheme":"ftp"}' },
  { "X-Request-Id": "1\u00a0quillfeather" },
  { "User-Agent": TAG },
  { "User-Agent": "\u00ff".repeat(2_000) },
  { Upgrade: "websocket", Connection: "Upgrade" },
  { Upgrade: "h2c", Connection: "Upgrade" },
  { Expect: "100-continue" },
  { Authorization: "Basic YWRtaW46YWRtaW4=" },
  { Host: "evil.example" },
  { Host: "127.0.0.1:1" },
  { "Sec-Fetch-Site": "cross-site" },
  { Referer: "https://evil.example/" },
];

export const ODD_COOKIES = [
  "session=",
  "session=x; session=y",
  "__Host-session=x",
  `session=${"a".repeat(6_000)}`,
  "session=%00%E0%A4%A",
  "session=\u00ff\u00fe",
  "=; ;;; session",
  "flash=constructor",
  `flash=${TAG}`,
  "device=x; session=__proto__",
  Array.from({ length: 300 }, (_, i) => `c${i}=v`).join("; "),
];

/** Parameters that a route or page reads. */
export const PARAMETERS = [
  "q",
  "limit",
  "cursor",
  "state",
  "region",
  "since",
  "search",
  "address",
  "council",
  "view",
  "tab",
  "age",
  "sort",
  "lead",
  "hold",
  "token",
  "from",
  "to",
  "userId",
  "action",
  "subjectId",
  "active",
  "stage",
  "_routes",
  "index",
  "utm_source",
];

/** Path segments to use instead of an ID or name, encoded or not. */
export const ODD_SEGMENTS = [
  "%00",
  "%",
  "%E0%A4%A",
  "%2e%2e%2f",
  "..",
  "%2F%2F",
  "__proto__",
  "constructor",
  "null",
  "-1",
  "1e9",
  "a".repeat(4_000),
  "%F0%9F%8C%BF",
  "%EF%BC%8E",
  "'--",
  encodeURIComponent(TAG),
  "x%0d%0ax-attack-smuggled:%201",
  "lead_nsw_zzzzzzzzzzzzzzzzzzzz",
  "lead_inner-west_",
  "manly.png",
  "1.xml",
  "999.xml",
  " ".replace(" ", "%20"),
];
