/** Lists the files that the offline page needs. The dashboard's service worker caches them (`public/app-worker.js`). */
import { join } from "node:path";

import type { Plugin, Rollup } from "vite";

const LIST = "offline-files.json";
/** The modules of the offline page, which has no layout, below `web`. */
const MODULES = ["entry.client.tsx", "root.tsx", "offline/offline-page.tsx"];

/**
 * Writes the paths of the offline page's scripts and style sheets, with all that they import, as a JSON array.
 * @param web the folder with the pages
 */
export function offlineFiles(web: string): Plugin {
  return {
    name: "offline-files",
    applyToEnvironment: ({ name }) => name === "client",
    generateBundle: {
      order: "post",
      handler(_, bundle) {
        const base = this.environment.config.base;
        const names = filesOf(bundle, new Set(MODULES.map((path) => join(web, path))));
        const source = JSON.stringify(names.map((name) => base + name));
        this.emitFile({ type: "asset", fileName: LIST, source });
      },
    },
  };
}

/** @throws if a module has no chunk of its own, so that the list cannot silently lose a page */
function filesOf(bundle: Rollup.OutputBundle, modules: ReadonlySet<string>): string[] {
  const names = new Set<string>();
  for (const chunk of Object.values(bundle))
    if (chunk.type === "chunk" && modules.has(moduleOf(chunk) ?? "")) names.add(chunk.fileName);
  if (names.size < modules.size)
    throw new Error(`${LIST}: expected the chunks of ${[...modules].join(", ")}`);
  // A set that grows while it is walked also visits what the new files import.
  for (const name of names) {
    const file = bundle[name];
    if (file?.type !== "chunk") continue;
    const sheets = [...(file.viteMetadata?.importedAssets ?? [])].filter((asset) => asset.endsWith(".css"));
    for (const next of [...file.imports, ...file.dynamicImports, ...sheets]) names.add(next);
  }
  return [...names].toSorted();
}

/** Returns the path of a chunk's module. React Router adds a query to the modules of routes. */
const moduleOf = ({ facadeModuleId }: Rollup.OutputChunk) => facadeModuleId?.split("?")[0];
