import type { FreeClaimDecision } from "../../contract/bad-leads.ts";
import type { RowAction, RowActionMap } from "./row-actions.tsx";

type Decision = FreeClaimDecision["decision"];
type Texts = Pick<RowAction, "label" | "done"> & { title: string; button: string; text: string };

/** Returns the buttons that grant or refuse a free claim, with a message to the provider. */
export function freeClaimActions(
  of: string,
  send: (json: FreeClaimDecision) => Promise<unknown>,
  texts: Record<Decision, Texts>,
): RowActionMap {
  const decide = (decision: Decision): RowAction => {
    const { title, button, text, ...rest } = texts[decision];
    return {
      ...rest,
      of,
      isMain: decision === "granted",
      act: ({ reason }) => send({ decision, answer: reason || null }),
      failed: "Couldn't send your answer",
      confirm: {
        title,
        text: <p>{text}</p>,
        reason: { label: "Message to the provider", required: false },
        label: button,
      },
    };
  };
  return { grant: decide("granted"), refuse: decide("refused") };
}
