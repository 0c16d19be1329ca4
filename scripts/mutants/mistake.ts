/** Mutates a source in memory when the tests load it. */
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

import type { Plugin } from "vitest/config";

import { type Mutant, mutate } from "./mutant.ts";

const mutant = JSON.parse(process.env.MUTANT!) as Mutant;
const target = fileURLToPath(new URL(`../../${mutant.file}`, import.meta.url));

/** The folder of the mutated source, such as `worker/selling/payments`. */
export const folder = dirname(mutant.file);

export const mistake: Plugin = {
  name: "mistake",
  enforce: "pre",
  transform: (source, id) => (id.split("?")[0] === target ? mutate(source, mutant) : null),
};
