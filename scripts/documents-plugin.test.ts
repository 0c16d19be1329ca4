import type { Plugin } from "vite";
import { expect, test } from "vitest";

import { documents } from "./documents-plugin.ts";

/** Returns a module as the development server serves it, after this plugin's transform. */
function served(path: string, code: string): string {
  const plugin = documents("/project/web") as Plugin & {
    transform: (this: object, code: string, id: string) => string | null;
  };
  const environment = { mode: "dev", name: "client" };
  return plugin.transform.call({ environment }, code, `/project/web/${path}`) ?? code;
}

test("in development the documents' script first imports the module that the islands' hot reload requires", () => {
  const [first, ...rest] = served("documents/document.ts", "arm();").split("\n");
  expect(first).toBe('import "virtual:react-router/inject-hmr-runtime";');
  expect(rest).toEqual(["arm();"]);
  expect(served("site/visitor.ts", "export {};")).toBe("export {};");
});
