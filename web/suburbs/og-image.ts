import { initWasm, Resvg } from "@resvg/resvg-wasm";
import resvgModule from "@resvg/resvg-wasm/index_bg.wasm";

import { apiContext } from "../lib/server-context.ts";
import type { Route } from "./+types/og-image.ts";
import { loadSuburb } from "./load-suburb.ts";
import { shareSvg } from "./share-image.tsx";

let ready: Promise<void> | null = null;

/**
 * Renders a suburb's share picture, such as `/og/manly.png`. Rendering takes a tenth of a second of CPU, so the edge
 * caches pictures like pages.
 */
export async function loader({ params, context }: Route.LoaderArgs) {
  const slug = /^([\w-]+)\.png$/.exec(params.file)?.[1];
  const found = slug ? await loadSuburb(context.get(apiContext), slug) : null;
  if (!found?.suburb.isListed || found.suburb.slug !== slug) throw new Response("Not found", { status: 404 });
  await (ready ??= initWasm(resvgModule));
  // Letters are outlines, so no fonts are needed.
  const resvg = new Resvg(shareSvg(found.suburb), { font: { loadSystemFonts: false } });
  const drawn = resvg.render();
  try {
    const png = drawn.asPng();
    return new Response(png as Uint8Array<ArrayBuffer>, { headers: { "Content-Type": "image/png" } });
  } finally {
    drawn.free();
    resvg.free();
  }
}
