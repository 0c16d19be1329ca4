/** Bundles the Worker with all holes behind a switch, and attacks it with one hole open at a time. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { build, type Plugin } from "vite";

import { printTable } from "../bench/figures.ts";
import { ROOT } from "../testing/tools.ts";
import { HOLE_PATH } from "./counting.ts";
import { type Hole, HOLES } from "./holes.ts";
import { Judge } from "./judge.ts";
import { startTarget } from "./product.ts";
import { allRoutes } from "./routes.ts";
import { listEndpoints, nameOf } from "./requests.ts";
import { requestForeignRows } from "./strangers.ts";
import { requestEverything } from "./walk.ts";
import { HttpClient } from "./wire.ts";
import { buildWorld } from "./world.ts";

/**
 * Returns the source with a hole behind the switch.
 *
 * @throws Error if the hole's text does not occur exactly once
 */
export function plantHole(source: string, { name, file, find, put, isHandler }: Hole): string {
  const text = find.replace(/[«»]/g, "");
  const count = source.split(text).length - 1;
  if (count !== 1) throw new Error(`"${name}" matches ${count} places in ${file}: rewrite it.`);
  const original = find.slice(find.indexOf("«") + 1, find.indexOf("»"));
  const choice = `(globalThis.openHole === ${JSON.stringify(name)} ? (${put}) : (${original}))`;
  const code = isHandler ? `((c, next) => ${choice}(c, next))` : choice;
  return source.replace(text, () => find.replace(`«${original}»`, () => code));
}

/** Plants the holes when the bundler loads the sources. Fails the build if it cannot plant one. */
function planting(): Plugin {
  const planted = new Set<string>();
  return {
    name: "planting",
    enforce: "pre",
    transform(source, id) {
      const here = HOLES.filter(({ file }) => id === `${ROOT}${file}`);
      for (const { name } of here) planted.add(name);
      return here.length > 0 ? here.reduce(plantHole, source) : null;
    },
    buildEnd(error) {
      const missing = HOLES.filter(({ name }) => !planted.has(name)).map(({ name }) => name);
      if (!error && missing.length > 0) throw new Error(`Not in the Worker: ${missing.join(", ")}`);
    },
  };
}

/** Bundles the Worker without its pages, which read the same API. @param outDir the folder of the bundle */
async function bundle(outDir: string): Promise<void> {
  await build({
    configFile: false,
    root: ROOT,
    logLevel: "error",
    publicDir: false,
    plugins: [planting()],
    build: {
      ssr: "testing/main.ts",
      outDir,
      target: "esnext",
      rolldownOptions: {
        external: [/^cloudflare:/, /^node:/],
        output: { entryFileNames: "index.js", codeSplitting: false },
      },
    },
    ssr: { noExternal: true, target: "webworker" },
  });
}

/** Opens each hole in turn and attacks its routes. @returns whether every hole was noticed, without false findings */
export async function attackHoles(): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), "naturestrip-holes-"));
  await bundle(folder);
  const target = await startTarget(`${folder}/`);
  try {
    const world = await buildWorld(target);
    const endpoints = listEndpoints(allRoutes(), []);
    const wire = new HttpClient(target);
    /** Returns which checks notice a hole. null opens no hole, and attacks every route in the catalogue. */
    const findNoticed = async (hole: Hole | null): Promise<string[]> => {
      await fetch(target.url + HOLE_PATH, { method: "POST", body: hole?.name ?? "" });
      const routes = hole ? hole.routes : HOLES.flatMap((one) => one.routes);
      const judge = new Judge();
      const context = { target, world, judge, endpoints, isThorough: false, wire };
      const those = endpoints.filter((endpoint) => routes.includes(nameOf(endpoint)));
      await requestForeignRows(context, those);
      await requestEverything(context, { only: those });
      return [...new Set(judge.findings.map(({ kind, where }) => `${kind} (${where})`))];
    };
    const before = await findNoticed(null);
    const rows = [{ hole: "none", "noticed by": before.join(", ") }];
    let missed = 0;
    for (const hole of HOLES) {
      const checks = await findNoticed(hole);
      if (checks.length === 0) missed += 1;
      rows.push({ hole: hole.name, "noticed by": checks.slice(0, 3).join(", ") || "NOTHING" });
    }
    wire.close();
    printTable("Planted holes", rows);
    console.log(`\n${HOLES.length - missed} of ${HOLES.length} holes noticed`);
    return missed === 0 && before.length === 0;
  } finally {
    await target.stop();
    target.forget();
    rmSync(folder, { recursive: true, force: true });
  }
}
