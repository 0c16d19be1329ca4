/** The tests of market and money in the Workers runtime, with a mistake in one of the sources they load. */
import { fileURLToPath } from "node:url";

import { defineConfig, type UserWorkspaceConfig } from "vitest/config";

import base from "../../vitest.config.ts";
import { mistake } from "./mistake.ts";

const projects = base.test!.projects as UserWorkspaceConfig[];
const workerd = projects.find(({ test }) => test?.name === "workerd")!;

const ROOMS = [
  "exchange",
  "durable-objects",
  "payments",
  "live",
  "erasure",
  "leads",
  "duds",
  "relisting",
  "operator",
  "reconciliation",
];

export default defineConfig({
  ...workerd,
  root: fileURLToPath(new URL("../../", import.meta.url)),
  plugins: [mistake, ...workerd.plugins!],
  test: {
    ...workerd.test,
    include: ROOMS.map((room) => `worker/${room}/**/*.test.ts`),
    fsModuleCache: false,
    maxWorkers: "100%",
  },
});
