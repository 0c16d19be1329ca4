import { useState } from "react";

import { isFinal } from "../../contract/pipeline.ts";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogFooter } from "../ui/dialog.tsx";
import type { PurchasedLead } from "./purchases.ts";
import { type ArchiveAction, useArchive } from "./use-archive.ts";

const QUESTIONS = {
  archive: {
    title: "Archive this lead?",
    text: "will move to Final. You can restore it any time.",
    yes: "Archive",
  },
  remove: {
    title: "Remove this lead?",
    text: "will leave your pipeline, with its notes and history. You can only undo this straight away.",
    yes: "Remove",
  },
} as const;

/** Lets an owner archive, restore or remove a purchase. */
export function ArchiveActions({ purchase, onGone }: { purchase: PurchasedLead; onGone: () => void }) {
  const { mutate, isPending } = useArchive(purchase.id);
  const [asked, setAsked] = useState<keyof typeof QUESTIONS | null>(null);
  const act = (action: ArchiveAction) =>
    mutate(
      { action },
      {
        onSuccess: () => {
          setAsked(null);
          if (action !== "restore") onGone();
        },
        onError: () => setAsked(null),
      },
    );
  const question = asked && QUESTIONS[asked];
  return (
    <div className="detail__acts">
      {isFinal(purchase) ? (
        <Button variant="quiet" isBusy={isPending} onClick={() => act("restore")}>
          {isPending ? "Restoring…" : "Restore"}
        </Button>
      ) : (
        <Button variant="quiet" onClick={() => setAsked("archive")}>
          Archive
        </Button>
      )}
      {purchase.mode === "manual" && (
        <Button variant="quiet" onClick={() => setAsked("remove")}>
          Remove
        </Button>
      )}
      {asked && question && (
        <Dialog title={question.title} onClose={() => setAsked(null)}>
          <p>
            <strong>
              <bdi>{purchase.customerName}</bdi>
            </strong>{" "}
            {question.text}
          </p>
          <DialogFooter onBack={() => setAsked(null)}>
            <Button isBusy={isPending} onClick={() => act(asked)}>
              {question.yes}
            </Button>
          </DialogFooter>
        </Dialog>
      )}
    </div>
  );
}
