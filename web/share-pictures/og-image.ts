import { initWasm, Resvg } from "@resvg/resvg-wasm";
import resvgModule from "@resvg/resvg-wasm/index_bg.wasm";

import type { RouterContextProvider } from "react-router";

import { ApiError, unwrap } from "../lib/api.ts";
import { apiContext } from "../lib/server-context.ts";
import { SHARE_CARDS } from "../site/share-cards.ts";
import type { Route } from "./+types/og-image.ts";
import { providerCard, shareSvg, suburbCard } from "./share-image.tsx";

const PROVIDER = "provider-";

/** Returns the card of a business's page, or of a suburb that search engines may index; null for any other. */
async function findCard(context: Readonly<RouterContextProvider>, name: string) {
  if (!name) return null;
  const { profiles, suburbs } = context.get(apiContext).api;
  try {
    if (name.startsWith(PROVIDER)) {
      const slug = name.slice(PROVIDER.length);
      return providerCard(await unwrap(profiles[":slug"].$get({ param: { slug }, query: {} })));
    }
    return suburbCard(await unwrap(suburbs[":name"].card.$get({ param: { name } })));
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return null;
    throw error;
  }
}

let ready: Promise<void> | null = null;

/**
 * Renders a share picture: of a suburb, such as `/og/manly.png`, of a business's page, such as
 * `/og/provider-green-strip.png`, or of another page, such as `/og/page-home.png`. Rendering takes a tenth of a second
 * of CPU, so the edge caches pictures like pages.
 */
export async function loader({ params, context }: Route.LoaderArgs) {
  const name = /^([\w-]+)\.png$/.exec(params.file)?.[1] ?? "";
  const card = SHARE_CARDS.get(/^page-(.+)$/.exec(name)?.[1] ?? "") ?? (await findCard(context, name));
  if (!card) throw new Response("Not found", { status: 404 });
  await (ready ??= initWasm(resvgModule));
  // Letters are outlines, so no fonts are needed.
  const resvg = new Resvg(shareSvg(card), { font: { loadSystemFonts: false } });
  const drawn = resvg.render();
  try {
    const png = drawn.asPng();
    return new Response(png as Uint8Array<ArrayBuffer>, { headers: { "Content-Type": "image/png" } });
  } finally {
    drawn.free();
    resvg.free();
  }
}
