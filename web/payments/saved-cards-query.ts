import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";

import type { SavedCard } from "../../contract/payments.ts";
import { expectOk, unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";

export const SAVED_CARDS_KEY = ["saved-cards"] as const;

/** Returns the cards that this business saved, latest first. */
export function useSavedCards() {
  return useQuery({
    queryKey: SAVED_CARDS_KEY,
    queryFn: (): Promise<SavedCard[]> => unwrap(browserApi().api.payments.cards.$get()),
  });
}

export function useRemoveCard() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (card: SavedCard) =>
      expectOk(browserApi().api.payments.cards[":id"].$delete({ param: { id: card.id } })),
    meta: { done: "Card removed", failed: "Card wasn't removed" },
    onSuccess: (_, removed) =>
      client.setQueryData<SavedCard[]>(SAVED_CARDS_KEY, (cards) =>
        cards?.filter((card) => card.id !== removed.id),
      ),
  });
}
