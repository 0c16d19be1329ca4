/** The targets: every API route in Hono's table, and every page in React Router's manifest. */
import { readdirSync, readFileSync } from "node:fs";
import { registerHooks } from "node:module";

import { ROOT } from "../testing/tools.ts";

/** Loads the Worker's modules only for their route table. The attack never uses the runtime's classes. */
registerHooks({
  resolve(specifier, context, next) {
    if (!specifier.startsWith("cloudflare:")) return next(specifier, context);
    const url =
      "data:text/javascript,export class DurableObject {} export class WorkerEntrypoint {} export const exports = {};";
    return { url, shortCircuit: true };
  },
});
const { api } = await import("../worker/api.ts");

export type Route = { method: string; path: string };
export type Page = { path: string; hasAction: boolean };

/** Returns every API route once. */
export function allRoutes(): Route[] {
  const routes = api.routes
    .filter(({ method }) => method !== "ALL")
    .map(({ method, path }) => [`${method} ${path}`, { method, path }] as const);
  return [...new Map(routes).values()];
}

type Manifest = {
  routes: Record<
    string,
    {
      id: string;
      parentId?: string;
      path?: string;
      index?: boolean;
      hasAction: boolean;
      hasDefaultExport: boolean;
    }
  >;
};

function readManifest(): Manifest {
  const folder = `${ROOT}build/client/assets/`;
  const file = readdirSync(folder).find((name) => name.startsWith("manifest-"));
  if (!file) throw new Error("There is no build. Run `npm run build` first.");
  const text = readFileSync(folder + file, "utf8");
  return JSON.parse(text.slice(text.indexOf("=") + 1).replace(/;\s*$/, "")) as Manifest;
}

/** Returns every page and every other path that React Router serves. */
export function allPages(): Page[] {
  const { routes } = readManifest();
  const pathOf = (id: string | undefined): string =>
    id === undefined ? "" : `${pathOf(routes[id]!.parentId)}/${routes[id]!.path ?? ""}`;
  const isLeaf = (id: string) => !Object.values(routes).some(({ parentId }) => parentId === id);
  return Object.values(routes)
    .filter(({ id, index, path }) => index === true || (path !== undefined && path !== "") || isLeaf(id))
    .map(({ id, hasAction }) => ({
      path: `/${pathOf(id)}`.replaceAll(/\/+/g, "/").replace(/(?<=.)\/$/, ""),
      hasAction,
    }))
    .filter(({ path }, i, all) => all.findIndex((page) => page.path === path) === i);
}
