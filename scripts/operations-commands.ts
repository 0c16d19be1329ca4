/** Every command in docs/operations.md, with the test that runs it. */
import { readFileSync } from "node:fs";

import { ROOT } from "../testing/tools.ts";

/**
 * `drill`: the drill runs it as written against a separate product. A path: the tests that run it. `account`:
 * it needs a Cloudflare account.
 */
export const OPERATIONS: Readonly<Record<string, string>> = {
  "npm ci": "account",
  "npm run attack": "e2e/attack.test.ts",
  "npm run deploy": "scripts/deploy.test.ts",
  "npm run operate -- backup": "drill",
  "npm run operate -- check-data": "drill",
  "npm run operate -- claims": "scripts/claims.test.ts",
  "npm run operate -- drill backup": "scripts/drills/drills.test.ts",
  "npm run operate -- drill reproject": "scripts/drills/drills.test.ts",
  "npm run operate -- drill restore": "scripts/drills/restore.test.ts",
  "npm run operate -- drill rollback": "scripts/drills/drills.test.ts",
  "npm run operate -- erase": "drill",
  "npm run operate -- load-suburbs": "drill",
  "npm run operate -- logs": "account",
  "npm run operate -- make-admin": "drill",
  "npm run operate -- push-keys": "scripts/vapid.test.ts",
  "npm run operate -- reconcile": "drill",
  "npm run operate -- recount-figures": "drill",
  "npm run operate -- region": "drill",
  "npm run operate -- release": "drill",
  "npm run operate -- relist": "drill",
  "npm run operate -- remove-passkeys": "drill",
  "npm run operate -- reproject": "drill",
  "npm run operate -- restore": "scripts/drills/drills.test.ts",
  "npm run operate -- restore-production": "scripts/drills/restore.test.ts",
  "npm run operate -- rewind": "worker/operations/rewinding/rewind.test.ts",
  "npm run operate -- rotate-keys": "drill",
  "npm start": "scripts/drills/start.test.ts",
  "npx wrangler": "account",
};

const COMMAND = /(?:npm (?:run [a-z:-]+|start|ci)|npx wrangler)(?: [^`\n#]*)?/g;
const NAME = /^npm run operate -- (?:drill )?[a-z-]+|^npm run [a-z:-]+|^npm (?:start|ci)|^npx wrangler/;

/** A command as written in the document, without its comment. */
export type DocumentedCommand = { name: string; line: string };

/** Returns the distinct commands of the operators' two documents, from their code blocks and inline code. */
export function documentedCommands(): DocumentedCommand[] {
  const text = ["deploy", "operations"]
    .map((name) => readFileSync(`${ROOT}docs/${name}.md`, "utf8"))
    .join("\n");
  const code = [...text.matchAll(/```sh\n([\s\S]*?)```|`([^`\n]+)`/g)].map(
    ([, block, inline]) => block ?? inline!,
  );
  const lines = code.flatMap((piece) => piece.match(COMMAND) ?? []).map((line) => line.trim());
  return [...new Set(lines)].map((line) => ({ name: NAME.exec(line)![0], line }));
}
