import { keepPreviousData, type QueryKey, useInfiniteQuery } from "@tanstack/react-query";
import type { ClientResponse } from "hono/client";

import { unwrap } from "./api.ts";
import { nextCursor } from "./next-page.ts";

type Page<Row> = { rows: Row[]; cursor: string | null; total: number | null };

/** Reads one page of a list: its rows, the next cursor, and the total if the server counts the rows. */
export async function readPage<Row>(
  request: Promise<ClientResponse<Row[], number, "json">>,
): Promise<Page<Row>> {
  const response = await request;
  const rows = (await unwrap(response)) as Row[];
  const total = response.headers.get("Total-Count");
  return { rows, cursor: nextCursor(response), total: total === null ? null : Number(total) };
}

/**
 * Returns a list that is fetched page by page. The previous rows stay visible while others load.
 * @param fetchPage fetches the page at a cursor, or the first page without one
 */
export function usePages<Row>(key: QueryKey, fetchPage: (cursor: string | undefined) => Promise<Page<Row>>) {
  const query = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam }) => fetchPage(pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.cursor ?? undefined,
    placeholderData: keepPreviousData,
    // Refetch each time: another user may have changed the list since it was last shown.
    staleTime: 0,
  });
  return {
    rows: query.data?.pages.flatMap((page) => page.rows) ?? null,
    total: query.data?.pages[0]?.total ?? null,
    error: query.error,
    isUpdating: query.isPlaceholderData,
    hasMore: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    loadMore: () => void query.fetchNextPage(),
    retry: () => void query.refetch(),
  };
}
