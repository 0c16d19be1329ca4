import { WorkerEntrypoint } from "cloudflare:workers";

import type { Env } from "../env.ts";
import { traced } from "../log.ts";
import type { Caller } from "../caller.ts";
import { networkPrefixes } from "../network.ts";
import { failureResponse } from "../errors.ts";
import { isKnown, withSharedLifetime } from "./sharing.ts";

/** Our own header, which keeps a request's id through the cached stage; it is no part of the cache's key. */
const REQUEST_ID = "X-Request-Id";

/** The props keep one host's answers from another's: a cache's key has path and query, but no host. */
type Props = { origin: string };

/**
 * The cached stage. wrangler.toml switches Workers Cache on for this entrypoint only: an answer that is
 * in the cache is given without any of this running. It sees a bare address, never a visitor.
 */
export abstract class CachedPages extends WorkerEntrypoint<Env, Props> {
  /** The API's or the page's answer for somebody of whom nothing is known. */
  protected abstract answer(request: Request, caller: Caller): Promise<Response>;

  override async fetch(request: Request): Promise<Response> {
    const requestId = request.headers.get(REQUEST_ID) ?? crypto.randomUUID();
    const nobody: Caller = {
      requestId,
      address: "shared",
      network: "shared",
      prefixes: networkPrefixes("shared"),
      userAgent: null,
      language: null,
      country: null,
      networkOwner: null,
      viaPage: false,
      device: null,
      secure: new URL(request.url).protocol === "https:",
      session: null,
      windowOf: null,
      confirmSession: async () => null,
      sessionHash: null,
      renewed: null,
      shared: true,
    };
    // An error loses its class on its way to the caller, so it leaves as a response.
    const response = await traced(requestId, () =>
      this.answer(request, nobody).catch((error: unknown) => failureResponse(error, requestId)),
    );
    const tags = response.headers.get("Cache-Tag")?.split(",") ?? [];
    return withSharedLifetime(await withEtag(response), tags);
  }

  /**
   * Forgets every shared answer made from something that has changed. RPC, for our own Worker only.
   * @param tags such as `suburb-manly`; an entrypoint can purge its own cache and no other
   */
  async purge(tags: string[]): Promise<void> {
    // The local runtime has no cache to purge.
    const result = await this.ctx.cache?.purge({ tags });
    if (result && !result.success) {
      throw new Error(`Purge refused: ${result.errors.map(({ message }) => message).join("; ")}`);
    }
  }
}

/** Gives a page a tag by its content, so that a browser that has it is spared the bytes. */
async function withEtag(response: Response): Promise<Response> {
  if (response.status !== 200 || response.headers.has("ETag")) return response;
  const body = await response.arrayBuffer();
  const digest = await crypto.subtle.digest("SHA-1", body);
  const hash = Buffer.from(digest).toString("base64url");
  const copy = new Response(body, response);
  copy.headers.set("ETag", `"${hash}"`);
  return copy;
}

type Exports = {
  PublicPages: (options: { props: Props }) => Pick<CachedPages, "purge"> & Fetcher;
};

/** The cached stage of a host. */
export function publicPages(ctx: Pick<ExecutionContext, "exports">, origin: string) {
  return (ctx.exports as unknown as Exports).PublicPages({ props: { origin } });
}

/**
 * Asks the cached stage for what a visitor wants.
 * @param address what `sharedAddress` made of the request: nothing else of it goes on
 */
export async function askPublicPages(
  request: Request,
  address: URL,
  ctx: ExecutionContext,
  requestId: string,
): Promise<Response> {
  // A redirect is the browser's to follow.
  const bare = new Request(address, { headers: { [REQUEST_ID]: requestId }, redirect: "manual" });
  const response = await publicPages(ctx, address.origin).fetch(bare);
  if (isKnown(request.headers.get("If-None-Match"), response.headers.get("ETag"))) {
    await response.body?.cancel();
    return new Response(null, { status: 304, headers: response.headers });
  }
  return request.method === "HEAD" ? new Response(null, response) : response;
}
