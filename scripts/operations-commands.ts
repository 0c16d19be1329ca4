/** Every command in docs/operations.md, with the test that runs it. */
import { readFileSync } from "node:fs";

import { ROOT } from "../testing/tools.ts";

/**
 * `drill`: the drill runs it as written against a separate product. A path: the tests that run it. `account`:
 * it needs a Cloudflare account.
 */
export const OPERATIONS: Readonly<Record<string, string>> = {
  "npm ci": "account",
  "npm run deploy": "scripts/deploy.test.ts",
  "npm run operate": "scripts/operator/commands.test.ts",
  "npm run operate -- admin": "drill",
  "npm run operate -- backup": "scripts/drills/restore.test.ts",
  "npm run operate -- claims": "scripts/claims.test.ts",
  "npm run operate -- erase": "drill",
  "npm run operate -- load-suburbs": "drill",
  "npm run operate -- reconcile": "drill",
  "npm run operate -- region": "drill",
  "npm start": "scripts/drills/start.test.ts",
  "npx node scripts/vapid.ts": "scripts/vapid.test.ts",
  "npx wrangler": "account",
};

const COMMAND = /(?:npm (?:run [a-z:-]+|start|ci)|npx wrangler|npx node \S+)(?: [^`\n#]*)?/g;
const NAME = /^npm run operate -- [a-z-]+|^npm run [a-z:-]+|^npm (?:start|ci)|^npx wrangler|^npx node \S+/;

/** A command as written in the document, without its comment. */
type DocumentedCommand = { name: string; line: string };

/** Returns the distinct commands of the operators' two documents, from their code blocks and inline code. */
export function documentedCommands(): DocumentedCommand[] {
  const text = ["operations", "deploy"]
    .map((name) => readFileSync(`${ROOT}docs/${name}.md`, "utf8"))
    .join("\n");
  const code = [...text.matchAll(/```sh\n([\s\S]*?)```|`([^`\n]+)`/g)].map(
    ([, block, inline]) => block ?? inline!,
  );
  const lines = code.flatMap((piece) => piece.match(COMMAND) ?? []).map((line) => line.trim());
  return [...new Set(lines)].map((line) => ({ name: NAME.exec(line)![0], line }));
}
