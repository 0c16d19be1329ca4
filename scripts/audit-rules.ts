import * as z from "zod/mini";

const answered = z.object({
  metadata: z.object({
    vulnerabilities: z.object({ total: z.number() }),
    dependencies: z.object({ prod: z.number() }),
  }),
  vulnerabilities: z.record(z.string(), z.object({ severity: z.string() })),
});
const unanswered = z.object({ statusCode: z.optional(z.number()), message: z.optional(z.string()) });

/**
 * Summarises the output of `npm audit --json` in one sentence.
 *
 * @returns `hasNoVulnerabilities`: true if there are no known vulnerabilities, null if the registry did not respond
 */
export function readAudit(output: string): { words: string; hasNoVulnerabilities: boolean | null } {
  let report: unknown;
  try {
    report = JSON.parse(output);
  } catch {
    report = null;
  }
  const parsedReport = answered.safeParse(report).data;
  if (!parsedReport) {
    const { statusCode, message } = unanswered.safeParse(report).data ?? {};
    const why = statusCode ? ` (status ${statusCode})` : message ? ` (${message})` : "";
    return {
      words: `Not checked: the registry returned nothing about known vulnerabilities${why}.`,
      hasNoVulnerabilities: null,
    };
  }
  const { vulnerabilities, dependencies } = parsedReport.metadata;
  if (vulnerabilities.total === 0)
    return {
      words: `No known vulnerabilities in the ${dependencies.prod} runtime packages.`,
      hasNoVulnerabilities: true,
    };
  const named = Object.entries(parsedReport.vulnerabilities).map(
    ([name, { severity }]) => `${name} (${severity})`,
  );
  return {
    words: `Known vulnerabilities: ${named.join(", ")}. Run \`npm audit\` for what to do.`,
    hasNoVulnerabilities: false,
  };
}
