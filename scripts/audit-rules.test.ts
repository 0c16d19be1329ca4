import { expect, test } from "vitest";

import { readAudit } from "./audit-rules.ts";

const report = (vulnerabilities: Record<string, { severity: string }>) =>
  JSON.stringify({
    vulnerabilities,
    metadata: {
      vulnerabilities: { total: Object.keys(vulnerabilities).length },
      dependencies: { prod: 103 },
    },
  });

test("a report without vulnerabilities is sound, and one with vulnerabilities names them", () => {
  expect(readAudit(report({}))).toEqual({
    words: "No known vulnerabilities in the 103 runtime packages.",
    hasNoVulnerabilities: true,
  });
  const holed = readAudit(report({ "left-pad": { severity: "high" } }));
  expect(holed).toMatchObject({
    hasNoVulnerabilities: false,
    words: expect.stringContaining("left-pad (high)"),
  });
});

test("a missing report is reported as missing, not as sound", () => {
  for (const [output, why] of [
    ['{"statusCode":405,"message":"Method Not Allowed"}', "status 405"],
    ['{"message":"request to the registry failed"}', "request to the registry failed"],
    ["", "returned nothing"],
    ["<html>", "returned nothing"],
  ] as const) {
    expect(readAudit(output)).toEqual({ hasNoVulnerabilities: null, words: expect.stringContaining(why) });
  }
});
