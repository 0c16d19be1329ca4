/**
 * Private files in R2. A row in D1 owns each file: the row decides who may read it, and the file is deleted before the
 * row. Keys contain random ids.
 */

/** The first part of a key: what the file is. */
export type FileKey = `photos/${string}` | `checks/${string}`;

/** Stores a file, or replaces it. */
export async function putFile(
  files: R2Bucket,
  key: FileKey,
  bytes: ArrayBuffer | Uint8Array,
  contentType: string,
): Promise<void> {
  await files.put(key, bytes, { httpMetadata: { contentType } });
}

/** Headers of every file: the browser must neither guess its type nor run anything in it, and no cache may share it. */
const FILE_HEADERS = {
  "X-Content-Type-Options": "nosniff",
  "Content-Security-Policy": "default-src 'none'; sandbox",
  "X-Robots-Tag": "noindex",
} as const;

/**
 * Returns a file as a response, or null when there is none. The caller checks access first.
 * @param headers more headers, such as Content-Disposition and Cache-Control ("private, no-store" without it)
 */
export async function fileResponse(
  files: R2Bucket,
  key: FileKey,
  headers: Record<string, string> = {},
): Promise<Response | null> {
  const file = await files.get(key);
  if (!file) return null;
  return new Response(file.body, {
    headers: {
      "Content-Type": file.httpMetadata?.contentType ?? "application/octet-stream",
      "Content-Length": String(file.size),
      "Cache-Control": "private, no-store",
      ...FILE_HEADERS,
      ...headers,
    },
  });
}

/** Maximum keys in one call of R2. */
const MAX_DELETED_KEYS = 1000;

/** Deletes files. Deleting a missing file succeeds, so the caller may retry. */
export async function deleteFiles(files: R2Bucket, keys: readonly FileKey[]): Promise<void> {
  for (let at = 0; at < keys.length; at += MAX_DELETED_KEYS)
    await files.delete(keys.slice(at, at + MAX_DELETED_KEYS));
}
