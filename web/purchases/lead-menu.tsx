import { useState } from "react";

import { isFinal } from "../../contract/pipeline.ts";
import { useUser } from "../auth/current-user.ts";
import { ReportDialog, useCanReport } from "../bad-leads/report-bad-lead.tsx";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogFooter } from "../ui/dialog.tsx";
import { Menu, type MenuItem } from "../ui/menu.tsx";
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

/** Shows the menu of a lead's rare actions: the owner reports, archives, restores or removes it. */
export function LeadMenu({ purchase, onGone }: { purchase: PurchasedLead; onGone: () => void }) {
  const { userType } = useUser();
  const { mutate, isPending } = useArchive(purchase.id);
  const canReport = useCanReport(purchase);
  const [asked, setAsked] = useState<"report" | keyof typeof QUESTIONS | null>(null);
  const stopAsking = () => setAsked(null);
  const act = (action: ArchiveAction) =>
    mutate(
      { action },
      {
        onSuccess: () => {
          stopAsking();
          if (action !== "restore") onGone();
        },
        onError: stopAsking,
      },
    );
  const items: MenuItem[] = [];
  if (canReport) items.push({ label: "Report a bad lead", act: () => setAsked("report") });
  if (userType === "provider") {
    items.push(
      isFinal(purchase)
        ? { label: "Restore", act: () => act("restore") }
        : { label: "Archive", act: () => setAsked("archive") },
    );
    if (purchase.mode === "manual") items.push({ label: "Remove", act: () => setAsked("remove") });
  }
  const question = asked && asked !== "report" && { ...QUESTIONS[asked], action: asked };
  return (
    <>
      <Menu label="More actions" items={items} />
      {asked === "report" && <ReportDialog purchase={purchase} onClose={stopAsking} />}
      {question && (
        <Dialog title={question.title} onClose={stopAsking}>
          <p>
            <strong>
              <bdi>{purchase.customerName}</bdi>
            </strong>{" "}
            {question.text}
          </p>
          <DialogFooter onBack={stopAsking}>
            <Button isBusy={isPending} onClick={() => act(question.action)}>
              {question.yes}
            </Button>
          </DialogFooter>
        </Dialog>
      )}
    </>
  );
}
