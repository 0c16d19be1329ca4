import { useQueryClient } from "@tanstack/react-query";

import { useUrlState } from "../lib/use-url-state.ts";
import { refreshOrIgnore } from "./refresh-purchases.ts";
import { useToast } from "../ui/toaster.tsx";
import { firstNameOf } from "./answers.ts";

/** Maximum characters of a reply shown in a toast. */
const MAX_PREVIEW_CHARACTERS = 90;

const graphemeSegmenter = new Intl.Segmenter("en-AU", { granularity: "grapheme" });

/** Returns the reply as a quoted single line, truncated to `MAX_PREVIEW_CHARACTERS` characters. */
function previewOf(words: string): string {
  const line = words.replaceAll(/\s+/g, " ");
  const beginning = Array.from(graphemeSegmenter.segment(line), ({ segment }) => segment)
    .slice(0, MAX_PREVIEW_CHARACTERS)
    .join("");
  return beginning === line ? `“${line}”` : `“${beginning.trimEnd()}…”`;
}

/** Returns a function that loads a purchase with a new reply and shows a toast on any dashboard tab. */
export function useReplyToasts(): (purchaseId: string) => Promise<void> {
  const client = useQueryClient();
  const toast = useToast();
  const { go } = useUrlState();
  return async (purchaseId) => {
    const detail = await refreshOrIgnore(client, purchaseId);
    const newest = detail?.answers[0];
    if (!detail || !newest) return;
    const isOpen = new URLSearchParams(location.search).get("lead") === purchaseId;
    toast({
      title: `${firstNameOf(detail)} wrote back`,
      description: previewOf(newest.words),
      ...(!isOpen && {
        next: { label: "Open", act: () => go({ tab: "leads", view: null, lead: purchaseId }) },
      }),
    });
  };
}
