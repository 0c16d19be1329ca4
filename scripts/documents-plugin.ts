/**
 * Builds the browser code for documents, separate from the signed-in application: small scripts, one module
 * per island, and one shared module per family of islands. Pages read the URLs from
 * `virtual:document-scripts`, so scripts need no map of all islands.
 */
import { createHash } from "node:crypto";
import { globSync } from "node:fs";
import { join, relative } from "node:path";

import { build, type Environment, type Plugin, type Rollup } from "vite";

const ADDRESSES = "virtual:document-scripts";
/** The script that every interactive document needs. Inlining it costs less than a request. */
const DOCUMENT = "documents/document.ts";
/** Records taps before the application hydrates. It is inlined because a request would arrive too late. */
const EARLY_TAPS = "app/early-taps.ts";
/** The document scripts, including those for features that an operator must enable. */
const SCRIPTS = [
  DOCUMENT,
  EARLY_TAPS,
  "quotes/conversion.ts",
  "requests/follow-request.ts",
  "quotes/challenge.ts",
  "addresses/google-places.ts",
  "photos/photo-list.tsx",
];
/**
 * Islands for sign-in pages. A separate build, so that these pages and visitors' forms do not load each
 * other's shared code.
 */
const SIGN_IN = /^(?:auth|passkeys)\//;
/** In development React Router's pages import this first. Without it, transformed components throw. */
const HOT_RELOAD = "virtual:react-router/inject-hmr-runtime";
const HYDRATE = "documents/hydrate-island.tsx";

/** Islands use Preact, which is a quarter of React's size. The application and the server keep React. */
const LIGHT_REACT = {
  react: "preact/compat",
  "react-dom": "preact/compat",
  "react-dom/client": "preact/compat/client",
  "react/jsx-runtime": "preact/jsx-runtime",
};

/** @param web the folder with the pages */
export function documents(web: string): Plugin {
  const islands = globSync("**/*.island.tsx", { cwd: web });
  const paths = [...SCRIPTS, ...islands];
  const families = [paths.filter((path) => !SIGN_IN.test(path)), paths.filter((path) => SIGN_IN.test(path))];
  /** For each module path below `web`: the module's URL and those of its imports, separated by spaces. */
  const addresses: Record<string, string> = {};
  /** Inlined scripts by path below `web`. */
  const inlined: Record<string, { code: string; hash: string }> = {};

  return {
    name: "documents",
    sharedDuringBuild: true,

    resolveId: (id) => (id === ADDRESSES ? `\0${id}` : null),

    load(id) {
      if (id !== `\0${ADDRESSES}`) return null;
      const { root } = this.environment.config;
      const sources = Object.fromEntries(paths.map((path) => [path, `/${relative(root, join(web, path))}`]));
      const known = this.environment.mode === "dev" ? sources : addresses;
      const [inline, earlyTaps] = [DOCUMENT, EARLY_TAPS].map((path) => inlined[path] ?? null);
      const values = Object.entries({ addresses: known, inline, earlyTaps });
      return values.map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`).join("\n");
    },

    /** Adds hydration to an island's module, and the hot-reload import to the document script. */
    transform(code, id) {
      const isServed = this.environment.mode === "dev" && this.environment.name === "client";
      if (!isServed) return null;
      if (id === join(web, DOCUMENT)) return `import ${JSON.stringify(HOT_RELOAD)};\n${code}`;
      return addHydration(code, id, web, islands);
    },

    /** Runs after the client build and before the server build, which needs the URLs. */
    async writeBundle(options) {
      if (this.environment.name !== "client") return;
      const { config } = this.environment;
      for (const family of families) {
        const output = await buildFamily(web, family, config, options.dir!);
        for (const chunk of output) {
          if (chunk.type !== "chunk" || !chunk.facadeModuleId) continue;
          const path = relative(web, chunk.facadeModuleId);
          if (path === DOCUMENT || path === EARLY_TAPS) inlined[path] = toInlineScript(chunk);
          const files = [chunk.fileName, ...chunk.imports];
          addresses[path] = files.map((file) => config.base + file).join(" ");
        }
      }
    },
  };
}

/**
 * Builds each module into one file, plus one file with their shared code.
 *
 * @param paths below `web`
 */
async function buildFamily(
  web: string,
  paths: readonly string[],
  { base, root, build: settings }: Environment["config"],
  outDir: string,
) {
  const islands = paths.filter((path) => path.endsWith(".island.tsx"));
  const result = await build({
    configFile: false,
    root,
    base,
    publicDir: false,
    logLevel: "warn",
    plugins: [islandEntries(web, islands), droppableSchemas(root)],
    resolve: { alias: LIGHT_REACT },
    build: {
      outDir,
      emptyOutDir: false,
      target: settings.target,
      modulePreload: false,
      rolldownOptions: {
        input: paths.map((path) => join(web, path)),
        preserveEntrySignatures: "strict",
        output: {
          entryFileNames: `${settings.assetsDir}/[name]-[hash].js`,
          chunkFileNames: `${settings.assetsDir}/[name]-[hash].js`,
          codeSplitting: { groups: [{ name: "islands", minShareCount: 2 }] },
        },
      },
    },
  });
  return (result as Rollup.RollupOutput).output;
}

/** Returns a script to inline, with its hash for the page's Content Security Policy. */
function toInlineScript({ code, imports, fileName }: Rollup.OutputChunk): { code: string; hash: string } {
  const text = code.trim();
  if (imports.length > 0 || /<\/script|<!--/i.test(text))
    throw new Error(`${fileName} cannot be inlined in a page`);
  return { code: text, hash: `sha256-${createHash("sha256").update(text).digest("base64")}` };
}

function addHydration(code: string, id: string, web: string, islands: readonly string[]): string | null {
  if (!islands.includes(relative(web, id))) return null;
  return `${code}\nexport { hydrateIsland } from ${JSON.stringify(join(web, HYDRATE))};`;
}

function islandEntries(web: string, islands: readonly string[]): Plugin {
  return { name: "island-entries", transform: (code, id) => addHydration(code, id, web, islands) };
}

/**
 * Marks calls in the contract's files as pure, so that the bundler drops unused schemas. These files define
 * more schemas than one form needs, and a bundler keeps every call it cannot analyse. Their constants have no
 * side effects.
 */
function droppableSchemas(root: string): Plugin {
  return {
    name: "droppable-schemas",
    transform(code, id) {
      if (!id.startsWith(join(root, "contract/"))) return null;
      let text = code;
      for (const { start, end } of constantsOf(this.parse(code)).toReversed()) {
        text = `${text.slice(0, start)}/* @__PURE__ */ (() => (${text.slice(start, end)}))()${text.slice(end)}`;
      }
      return { code: text, map: null };
    },
  };
}

const INITIALISERS: ReadonlySet<string> = new Set([
  "CallExpression",
  "MemberExpression",
  "NewExpression",
  "ObjectExpression",
]);

/** Returns the positions of a module's constants that are initialised by a call, or by what may contain or cause one. */
function constantsOf({ body }: ReturnType<Rollup.PluginContext["parse"]>): { start: number; end: number }[] {
  return body
    .map((node) => (node.type === "ExportNamedDeclaration" ? node.declaration : node))
    .flatMap((node) => (node?.type === "VariableDeclaration" ? node.declarations : []))
    .flatMap(({ init }) => (init && INITIALISERS.has(init.type) ? [init] : []));
}
