import { expect, test } from "vitest";

import { formatDevice } from "./queries.ts";

const MOZILLA = "Mozilla/5.0";

test.each([
  [
    `${MOZILLA} (iPhone; CPU iPhone OS 19_0 like Mac OS X) Version/19.0 Mobile/15E148 Safari/604.1`,
    "Safari on iPhone",
  ],
  [`${MOZILLA} (Linux; Android 16; Pixel 10) Chrome/141.0.0.0 Mobile Safari/537.36`, "Chrome on Android"],
  [`${MOZILLA} (Windows NT 10.0; Win64; x64) Chrome/141.0.0.0 Safari/537.36 Edg/141.0`, "Edge on Windows"],
  [`${MOZILLA} (Macintosh; Intel Mac OS X 10_15_7) Gecko/20100101 Firefox/143.0`, "Firefox on Mac"],
  ["curl/8.5", "Unknown device"],
  [null, "Unknown device"],
])("%s is shown as %s", (userAgent, words) => {
  expect(formatDevice(userAgent)).toBe(words);
});
