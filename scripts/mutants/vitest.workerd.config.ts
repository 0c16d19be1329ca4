/** The market and money tests in the Workers runtime, with one mutated source. */
import { fileURLToPath } from "node:url";

import { defineConfig, type UserWorkspaceConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

import base from "../../vitest.config.ts";
import { mistake, folder } from "./mistake.ts";

const projects = base.test!.projects as UserWorkspaceConfig[];
const workerd = projects.find(({ test }) => test?.name === "workerd")!;

const ROOMS = [
  "exchange",
  "durable-objects",
  "payments",
  "purchases",
  "live",
  "erasure",
  "leads",
  "duds",
  "guarantee",
  "reviews",
  "calls",
  "checks",
  "public-figures",
  "operator",
  "reconciliation",
];

const isSameFolder = ({ moduleId }: TestSpecification) => moduleId.includes(`/${folder}/`);

/** Runs the nearest tests first: the first failure ends the run, and it is usually next to the mutated source. */
class NearestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- the tool's own order, not an array's
    const sorted = await super.sort(files);
    return [...sorted.filter(isSameFolder), ...sorted.filter((file) => !isSameFolder(file))];
  }
}

export default defineConfig({
  ...workerd,
  root: fileURLToPath(new URL("../../", import.meta.url)),
  plugins: [mistake, ...workerd.plugins!],
  test: {
    ...workerd.test,
    include: ROOMS.map((room) => `worker/**/${room}/**/*.test.ts`),
    fsModuleCache: false,
    maxWorkers: "100%",
    sequence: { ...workerd.test?.sequence, sequencer: NearestFirst },
  },
});
