import { matchQuery, MutationCache, type Query, QueryClient, type QueryKey } from "@tanstack/react-query";

import type { ToastMessage } from "../ui/toaster.tsx";
import { codeOf, messageOf } from "./api.ts";

/** Keeps what was changed while another tab is open. Otherwise the page's first data would show again. */
export const KEPT = { gcTime: Number.POSITIVE_INFINITY } as const;

export type ToastText = string | { title: string; description: string };

/**
 * A mutation's `meta`: the toasts that it shows and the queries that it reloads. Show a toast yourself only if its text
 * depends on the result, or if it offers an undo.
 */
export type MutationEffects = {
  /** The toast after a success. */
  done?: ToastText;
  /** The toast after a failure. Its description is the server's message, or this one without a message or if fixed. */
  failed?: string | { title: string; description: string; isFixed?: true };
  /** Queries to reload after a success or failure. The mutation stays pending until they have loaded. */
  refreshes?: readonly QueryKey[];
};

declare module "@tanstack/react-query" {
  interface Register {
    mutationMeta: MutationEffects;
  }
}

/** The message after the user closes the dialog that asks for a confirmation. */
export const NOT_CONFIRMED = {
  title: "Nothing was changed",
  description: "You didn't confirm it's you. What you typed is still there.",
};

export const toMessage = (text: ToastText): ToastMessage =>
  typeof text === "string" ? { title: text } : text;

function describeFailure(failed: NonNullable<MutationEffects["failed"]>, error: Error): ToastMessage {
  if (codeOf(error) === "confirm_needed") return NOT_CONFIRMED;
  const { title, description, isFixed } =
    typeof failed === "string"
      ? { title: failed, description: "Please check your connection and try again.", isFixed: false }
      : failed;
  return {
    title,
    description: isFixed ? description : messageOf(error, description),
    tone: "destructive",
  };
}

/**
 * Reloads queries after the user has changed something. A query that is loading for the first time starts again, because
 * its response may be older than the change. Live events do not use this: many events would restart a slow load again
 * and again.
 * @param keys reloads each query with a key that starts with one of these
 */
export async function reload(client: QueryClient, ...keys: readonly QueryKey[]): Promise<void> {
  const isMeant = (query: Query) => keys.some((queryKey) => matchQuery({ queryKey }, query));
  await client.cancelQueries({ predicate: (query) => query.state.data === undefined && isMeant(query) });
  await client.invalidateQueries({ predicate: isMeant });
}

/**
 * Creates a query cache: one per request on the server, one per browser window. Data does not become stale. Live events
 * and the user's own changes update it.
 * @param toast shows the toasts of mutations
 */
export function makeQueryClient(toast: (message: ToastMessage) => void = () => {}): QueryClient {
  const client: QueryClient = new QueryClient({
    mutationCache: new MutationCache({
      onSuccess: (_data, _input, _result, { meta }) => {
        if (meta?.done) toast(toMessage(meta.done));
      },
      onError: (error, _input, _result, { meta }) => {
        if (meta?.failed) toast(describeFailure(meta.failed, error));
      },
      // Runs after the mutation's own `onSuccess`, so that a dialog closes before its list reloads.
      onSettled: (_data, _error, _input, _result, { meta }) =>
        meta?.refreshes && reload(client, ...meta.refreshes),
    }),
    defaultOptions: {
      queries: {
        staleTime: Number.POSITIVE_INFINITY,
        refetchInterval: false,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        retry: false,
        // Fail at once when offline, so that our own message appears.
        networkMode: "always",
      },
      mutations: { retry: false, networkMode: "always" },
    },
  });
  return client;
}
