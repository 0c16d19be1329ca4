/** The quick unit tests, with a mistake in one of the sources they load. */
import { fileURLToPath } from "node:url";

import { defineConfig } from "vitest/config";

import { type Mutant, mutate } from "./mutant.ts";

const ROOT = new URL("../../", import.meta.url);
const mutant = JSON.parse(process.env.MUTANT!) as Mutant;
const target = fileURLToPath(new URL(mutant.file, ROOT));

export default defineConfig({
  root: fileURLToPath(ROOT),
  plugins: [
    {
      name: "mistake",
      enforce: "pre",
      transform: (source, id) => (id.split("?")[0] === target ? mutate(source, mutant) : null),
    },
  ],
  test: { include: ["worker/**/*.unit.test.ts", "web/market/*.test.ts"], bail: 1, fsModuleCache: false },
});
