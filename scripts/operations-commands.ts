/** Every command in docs/operations.md, with the test that proves it works. */
import { readFileSync } from "node:fs";

import { ROOT } from "../testing/tools.ts";

/** `drill`: run as written against a separate product; a path: the tests that run it; `account`: needs Cloudflare. */
export const OPERATIONS: Readonly<Record<string, string>> = {
  "npm ci": "account",
  "npm start": "scripts/drills/start.test.ts",
  "npm run attack": "e2e/attack.test.ts",
  "npm run backup": "drill",
  "npm run check:data": "drill",
  "npm run claims": "scripts/claims.test.ts",
  "npm run deploy": "scripts/deploy.test.ts",
  "npm run drill:backup": "scripts/drills/drills.test.ts",
  "npm run drill:reproject": "scripts/drills/drills.test.ts",
  "npm run drill:restore": "scripts/drills/restore.test.ts",
  "npm run drill:rollback": "scripts/drills/drills.test.ts",
  "npm run erase": "drill",
  "npm run exchange:relist": "drill",
  "npm run exchange:reproject": "drill",
  "npm run exchange:rewind": "worker/operations/rewinding/rewind.test.ts",
  "npm run figures:recount": "drill",
  "npm run keys:rotate": "drill",
  "npm run logs": "account",
  "npm run make-admin": "drill",
  "npm run passkeys:remove": "drill",
  "npm run push:keys": "scripts/vapid.test.ts",
  "npm run reconcile": "drill",
  "npm run redact:again": "drill",
  "npm run region": "drill",
  "npm run release": "drill",
  "npm run restore": "scripts/drills/drills.test.ts",
  "npm run restore:production": "scripts/drills/restore.test.ts",
  "npm run suburbs:load": "drill",
  "npx wrangler": "account",
};

const COMMAND = /(?:npm (?:run [a-z:-]+|start|ci)|npx wrangler)(?: [^`\n#]*)?/g;
const NAME = /^npm run [a-z:-]+|^npm (?:start|ci)|^npx wrangler/;

/** A command as written in the document, without its comment. */
export type DocumentedCommand = { name: string; line: string };

/** Returns the distinct commands of docs/operations.md, from its code blocks and inline code. */
export function documentedCommands(): DocumentedCommand[] {
  const text = readFileSync(`${ROOT}docs/operations.md`, "utf8");
  const code = [...text.matchAll(/```sh\n([\s\S]*?)```|`([^`\n]+)`/g)].map(
    ([, block, inline]) => block ?? inline!,
  );
  const lines = code.flatMap((piece) => piece.match(COMMAND) ?? []).map((line) => line.trim());
  return [...new Set(lines)].map((line) => ({ name: NAME.exec(line)![0], line }));
}
