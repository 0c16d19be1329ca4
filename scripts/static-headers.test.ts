import { readFileSync } from "node:fs";

import { expect, test } from "vitest";

import { COMMON_HEADERS, HSTS } from "../worker/middleware/security-headers.ts";
import { ROOT } from "../testing/tools.ts";

/** Returns the headers in `public/_headers`, by URL pattern. */
function readRules(): Map<string, Map<string, string>> {
  const rules = new Map<string, Map<string, string>>();
  let current = new Map<string, string>();
  for (const line of readFileSync(`${ROOT}public/_headers`, "utf8").split("\n")) {
    if (!line.trim() || line.startsWith("#")) continue;
    const header = /^\s+([\w-]+):\s*(.+)$/.exec(line);
    if (header) current.set(header[1]!, header[2]!);
    else rules.set(line.trim(), (current = new Map()));
  }
  return rules;
}

test("a file served without the Worker has the same headers as the Worker's responses", () => {
  const everywhere = Object.fromEntries(readRules().get("/*")!);
  expect(everywhere).toMatchObject({ ...COMMON_HEADERS, "Strict-Transport-Security": HSTS });
  expect(everywhere["Content-Security-Policy"]).toContain("default-src 'none'");
});

test("no header is set twice, since the platform joins the values of two rules", () => {
  const [everywhere, ...others] = readRules().values();
  for (const rule of others)
    for (const name of rule.keys()) expect([...everywhere!.keys()]).not.toContain(name);
});
