/** Checks that commands and settings in the documents exist in the code. */
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { expect, test } from "vitest";

import { WEBHOOK_EVENTS } from "../worker/selling/payments/intents.ts";
import { ROOT } from "../testing/tools.ts";

const read = (file: string) => readFileSync(join(ROOT, file), "utf8");

const DOCUMENTS = globSync(["*.md", "docs/**/*.md"], { cwd: ROOT }).toSorted();
const documents = DOCUMENTS.map((file) => ({ file, text: read(file) }));

/** Returns the distinct matches of a pattern's first group in a document. */
const found = (text: string, pattern: RegExp) => [
  ...new Set([...text.matchAll(pattern)].map(([, it]) => it!)),
];

test("docs/deploy.md lists the events that the webhook handles, and no others", () => {
  const named = found(read("docs/deploy.md"), /`((?:payment_intent|charge|refund)\.[a-z_.]+)`/g);
  expect(named.toSorted()).toEqual(WEBHOOK_EVENTS.toSorted());
});

test.each(documents)("every command that $file names exists", ({ text }) => {
  const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
  const commands = [...found(text, /npm run ([a-z][a-z:-]*)/g), ...found(text, /npm (start|test)\b/g)];
  expect(commands.filter((name) => !scripts[name])).toEqual([]);
  const files = found(text, /\bnode ((?:scripts|bench)\/[\w/.-]+)/g);
  expect(files.filter((name) => !existsSync(join(ROOT, name)))).toEqual([]);
});

test("every command in package.json runs an existing file or tool", () => {
  const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
  for (const [name, command] of Object.entries(scripts)) {
    const file = /\bnode (?:--\S+ )*(\S+\.ts)/.exec(command)?.[1];
    if (file) expect(existsSync(join(ROOT, file)), `${name}: ${file}`).toBe(true);
    else expect(existsSync(join(ROOT, "node_modules/.bin", command.split(" ")[0]!)), name).toBe(true);
  }
});

test.each(documents)("the Worker reads every secret and setting that $file names", ({ text }) => {
  const known = read("worker/platform/env.ts");
  const secrets = found(text, /wrangler secret put ([A-Z_]+)/g);
  const settings = found(text, /`([A-Z]+(?:_[A-Z]+)+)(?: = "[^`]*")?`/g);
  // Variables that only tests and the runtime use.
  const others = new Set(["CHROMIUM_PATH"]);
  expect(
    [...secrets, ...settings].filter((name) => !known.includes(`  ${name}`) && !others.has(name)),
  ).toEqual([]);
});

test.each(documents)("every path in the repository that $file links to exists", ({ file, text }) => {
  const links = found(text, /\]\((?!https?:|mailto:|#)([^)#\s]+)/g);
  expect(links.filter((link) => !existsSync(join(ROOT, dirname(file), link)))).toEqual([]);
});

const decisions = globSync("docs/decisions/0*.md", { cwd: ROOT }).toSorted();

test("each decision has its own number, a date and a status", () => {
  const numbers = decisions.map((file) => Number(/\/(\d{4})-[a-z0-9-]+\.md$/.exec(file)?.[1]));
  expect(new Set(numbers).size, "two decisions of one number").toBe(decisions.length);
  for (const [index, file] of decisions.entries()) {
    const [title, ...rest] = read(file).split("\n");
    expect(title, file).toMatch(new RegExp(`^# ${numbers[index]}\\. \\S`));
    expect(rest.join("\n"), file).toMatch(/^Date: \d{1,2} [A-Z][a-z]+ \d{4}\. Status: \S/m);
  }
});

test("the list of decisions has each decision, with its title and its successor", () => {
  const rows = decisions.map((file) => {
    const text = read(file);
    const [, number, title] = /^# (\d+)\. (.+)$/m.exec(text)!;
    const [, part, successor, exception] =
      /Status: (.*?)superseded by \[(?:decision )?(\d+)\]\(\S+\)(, except)?/.exec(text) ?? [];
    const note = successor ? ` (${part || exception ? "partly " : ""}replaced by ${successor})` : "";
    return `| ${number} | [${title}](${file.split("/").at(-1)})${note} |`;
  });
  const listed = read("docs/decisions/README.md").match(/^\| \d+ \|.*$/gm);
  expect(listed).toEqual(rows);
});

test("a reference to a missing decision is reported, with the reason", () => {
  const numbers = new Set(decisions.map((file) => Number(/\/(\d{4})-/.exec(file)?.[1])));
  const missing = Array.from({ length: Math.max(...numbers) }, (_, i) => i + 1).filter(
    (n) => !numbers.has(n),
  );
  expect(missing.filter((n) => !read("docs/README.md").includes(`Number ${n} `))).toEqual([]);
});

test("every workflow action is pinned to a commit, with its version beside it", () => {
  for (const file of globSync(".github/workflows/*.yml", { cwd: ROOT })) {
    const actions = found(read(file), /\buses: (.+)/g);
    expect(actions.filter((action) => !/^[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(action))).toEqual([]);
  }
});

test("each decision states its context, the decision and its consequences", () => {
  for (const file of decisions) {
    const headings = found(read(file), /^## (.+)$/gm);
    expect(headings, file).toEqual(expect.arrayContaining(["Context", "Decision", "Consequences"]));
  }
});

test("the README is short enough to read in one go", () => {
  expect(read("README.md").trimEnd().split("\n").length).toBeLessThanOrEqual(120);
});
