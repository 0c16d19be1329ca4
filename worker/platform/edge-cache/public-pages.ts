import { exports, WorkerEntrypoint } from "cloudflare:workers";

import type { Caller } from "../caller.ts";
import type { Bindings } from "../env.ts";
import { failureResponse } from "../errors.ts";
import { log, withRequestId } from "../log.ts";
import { networkPrefixes } from "../network.ts";
import { matchesEtag, withSharedLifetime } from "./sharing.ts";

/** Header with the request id for the cached stage. The cache key does not include it. */
const REQUEST_ID = "X-Request-Id";

/**
 * How cached responses expire. `invalidate` marks them stale: the cache asks us again, and still serves them while we or
 * D1 fail. `purge` deletes them.
 */
export type Expiry = "invalidate" | "purge";

/** Separates the hosts: the cache key includes the props, path and query, but not the host. */
type Props = { origin: string };

/**
 * The cached stage. wrangler.toml switches Workers Cache on for this entrypoint only. A cache hit does not run this
 * code. The stage receives a bare URL and nothing about the visitor.
 */
export abstract class CachedPages extends WorkerEntrypoint<Bindings, Props> {
  /** Returns the API's or the page's response for an anonymous caller. */
  protected abstract handle(request: Request, caller: Caller): Promise<Response>;

  override async fetch(request: Request): Promise<Response> {
    const requestId = request.headers.get(REQUEST_ID) ?? crypto.randomUUID();
    const anonymousCaller: Caller = {
      requestId,
      address: "shared",
      network: "shared",
      prefixes: networkPrefixes("shared"),
      userAgent: null,
      language: null,
      country: null,
      networkOwner: null,
      device: null,
      secure: new URL(request.url).protocol === "https:",
      session: null,
      windowOf: null,
      confirmSession: async () => null,
      sessionHash: null,
      renewed: null,
      shared: true,
    };
    // RPC drops an error's class, so errors become responses here.
    const response = await withRequestId(requestId, () =>
      this.handle(request, anonymousCaller).catch((error: unknown) => failureResponse(error, requestId)),
    );
    const tags = response.headers.get("Cache-Tag")?.split(",") ?? [];
    return withSharedLifetime(await withEtag(response), tags);
  }

  /**
   * Purges or invalidates the shared responses with these tags. Only our own Worker can call it (RPC).
   * @param tags such as `suburb-manly`; an entrypoint can expire only its own cache
   */
  async expire(how: Expiry, tags: string[]): Promise<void> {
    // The local runtime has no cache.
    const result = await this.ctx.cache?.[how]({ tags });
    if (result && !result.success) {
      throw new Error(`${how} refused: ${result.errors.map(({ message }) => message).join("; ")}`);
    }
  }
}

/** Adds an ETag of the content, so that browsers do not download an unchanged page again. */
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
  PublicPages: (options: { props: Props }) => Pick<CachedPages, "expire"> & Fetcher;
};

function publicPages(origin: string) {
  return (exports as unknown as Exports).PublicPages({ props: { origin } });
}

/**
 * Expires the shared responses with these tags. Call it after the change is stored. If it fails, a response stays fresh
 * for an hour. For a day after that, one more visitor may get the stale response.
 * @param url any URL of the site
 * @param how `purge` only for what no visitor may see any more, such as an erased person's text or a hidden review
 */
export async function expirePages(url: string, tags: string[], how: Expiry = "invalidate"): Promise<void> {
  if (tags.length === 0) return;
  try {
    await publicPages(new URL(url).origin).expire(how, tags);
  } catch (error) {
    log("error", "purge_failed", { error });
  }
}

/**
 * Fetches a visitor's page from the cached stage.
 * @param address from `sharedCacheUrl`; the cached stage gets nothing else from the request
 */
export async function fetchPublicPage(request: Request, address: URL, requestId: string): Promise<Response> {
  // The browser follows redirects itself.
  const bare = new Request(address, { headers: { [REQUEST_ID]: requestId }, redirect: "manual" });
  const response = await publicPages(address.origin).fetch(bare);
  if (matchesEtag(request.headers.get("If-None-Match"), response.headers.get("ETag"))) {
    await response.body?.cancel();
    return new Response(null, { status: 304, headers: response.headers });
  }
  return request.method === "HEAD" ? new Response(null, response) : response;
}

/** Cache tags that purge shared pages about suburbs and services. */

/** Tag of every shared response that lists suburbs. */
export const SUBURBS_TAG = "suburbs";

/** Returns the tag of every shared response that shows this suburb. */
export function suburbTag(slug: string): string {
  return `suburb-${slug}`;
}

/** Returns the tag of every shared response that shows neighbours within a council. */
export function councilTag(council: string): string {
  return `council-${council.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")}`;
}

/** Returns the tags of every shared response that shows a suburb: its own page, its neighbours' and the lists. */
export function tagsShowing({ slug, council }: { slug: string; council: string }): string[] {
  return [SUBURBS_TAG, suburbTag(slug), councilTag(council)];
}

/** Returns the tag of the share picture of a business's page. */
export function providerTag(slug: string): string {
  return `provider-${slug}`;
}

/** Tag of every shared response that shows photos of jobs. */
export const SHOWN_JOBS_TAG = "shown-jobs";

/** Returns the tags of every shared response that may link to a business. @param councils where it works */
export function tagsLinking(councils: readonly string[]): string[] {
  return [...councils.map(councilTag), SHOWN_JOBS_TAG];
}
