/**
 * Undocumented React Router behaviour that islands depend on. If one of these tests fails after an upgrade,
 * fix it soon. Otherwise islands do not hydrate, or the Content Security Policy blocks the application's
 * scripts.
 */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { reactRouter } from "@react-router/dev/vite";
import { createElement, use } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { createStaticHandler, ServerRouter, UNSAFE_FrameworkContext as FrameworkContext } from "react-router";
import type { Plugin } from "vite";
import { expect, test } from "vitest";

import { ROOT } from "../testing/tools.ts";

/** Explains what broke, and which document describes the workaround. */
const broken = (what: string) =>
  `${what} React Router never promised it: docs/decisions/0018-what-the-islands-lean-on.md says how to do without.`;

const BUILT = join(ROOT, "build/client/assets");

/** A page that prints its nonce. */
function Root() {
  return createElement("p", null, use(FrameworkContext)?.nonce);
}

test("React Router still passes the page's nonce to root.tsx", async () => {
  const words = "web/root.tsx no longer learns the nonce from UNSAFE_FrameworkContext.";
  expect(FrameworkContext, broken(words)).toBeDefined();
  const routes = [{ id: "root", path: "/", Component: Root }];
  const staticHandlerContext = await createStaticHandler(routes).query(new Request("http://page.test/"));
  const route = { id: "root", path: "/", module: "/root.js", hasLoader: false, hasAction: false };
  const context = {
    manifest: {
      routes: { root: route },
      entry: { imports: [], module: "/entry.js" },
      url: "/m.js",
      version: "1",
    },
    routeModules: { root: { default: Root } },
    staticHandlerContext,
    future: {},
    ssr: true,
    isSpaMode: false,
    routeDiscovery: { mode: "initial" },
    serializeError: () => null,
  } as unknown as Parameters<typeof ServerRouter>[0]["context"];
  const page = renderToStaticMarkup(
    createElement(ServerRouter, { context, url: "http://page.test/", nonce: "of-this-page" }),
  );
  expect(page, broken(words)).toBe("<p>of-this-page</p>");
});

test("the development server still has the module that the islands' hot reload needs first", async () => {
  const plugins = (await Promise.all([reactRouter()].flat(9))) as Plugin[];
  const ids = await Promise.all(
    plugins.map((plugin) => {
      const hook = typeof plugin?.resolveId === "object" ? plugin.resolveId.handler : plugin?.resolveId;
      const named = plugin?.name?.includes("hmr") && hook;
      return named
        ? hook.call({} as never, "virtual:react-router/inject-hmr-runtime", undefined, {} as never)
        : null;
    }),
  );
  expect(
    ids.filter(Boolean),
    broken("virtual:react-router/inject-hmr-runtime is gone: in development no island comes alive."),
  ).toHaveLength(1);
});

test("the build still leaves room for the islands, and the server gets their URLs", () => {
  const islands = globSync("**/*.island.tsx", { cwd: join(ROOT, "web") });
  expect(islands.length, "the test sees the islands").toBeGreaterThan(3);
  const server = globSync("build/server/**/*.js", { cwd: ROOT })
    .map((file) => readFileSync(join(ROOT, file), "utf8"))
    .join("\n");
  for (const island of islands) {
    const addresses = new RegExp(`"${island}":\\s*"([^"]+)"`).exec(server)?.[1]?.split(" ") ?? [];
    expect(
      addresses.length,
      broken(`The server does not know where ${island} is: it was built before the client.`),
    ).toBeGreaterThan(0);
    const module = readFileSync(join(BUILT, addresses[0]!.replace("/assets/", "")), "utf8");
    expect(module, broken(`${island} was built without what hydrates it.`)).toMatch(
      /export\s*\{[^}]*hydrateIsland/,
    );
  }
});
