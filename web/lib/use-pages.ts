import { keepPreviousData, type QueryKey, useInfiniteQuery } from "@tanstack/react-query";
import type { ClientResponse } from "hono/client";

import { unwrap } from "./api.ts";
import { nextCursor } from "./next-page.ts";

type Page<Row> = { rows: Row[]; cursor: string | null; total: number | null };

/**
 * One page of a list, from its answer: the rows, where to go on, and how many there are in all if the
 * server counts them.
 */
export async function readPage<Row>(
  answer: Promise<ClientResponse<Row[], number, "json">>,
): Promise<Page<Row>> {
  const response = await answer;
  const rows = (await unwrap(response)) as Row[];
  const total = response.headers.get("Total-Count");
  return { rows, cursor: nextCursor(response), total: total === null ? null : Number(total) };
}

/**
 * A list that is fetched page by page. While other rows are awaited the last ones stay.
 * @param fetchPage fetches the page that begins at a cursor, the first one without
 */
export function usePages<Row>(key: QueryKey, fetchPage: (cursor: string | undefined) => Promise<Page<Row>>) {
  const query = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam }) => fetchPage(pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.cursor ?? undefined,
    placeholderData: keepPreviousData,
    // Somebody else may have worked on the list since it was last looked at.
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
