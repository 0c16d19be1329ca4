import { useState } from "react";

import {
  contestSchema,
  describeDecision,
  type GuaranteeCase,
  RULE_LABELS,
} from "../../contract/guarantee.ts";
import { formatDeadline } from "../../contract/sydney-time.ts";
import { unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";
import { useAppForm } from "../lib/use-app-form.ts";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogFooter } from "../ui/dialog.tsx";
import { TextAreaField } from "../ui/field.tsx";
import { Form } from "../ui/form.tsx";
import { BAD_LEADS_KEY } from "./bad-leads.ts";

/** Returns what a business sees of a case. */
function describeCase(found: GuaranteeCase): string {
  const decision = describeDecision(found);
  if (decision !== null) return decision;
  const by = found.dueAt === null ? "soon" : `by ${formatDeadline(found.dueAt)}`;
  if (found.state === "asked")
    return `We've asked the customer if they missed your calls. If they don't object ${by}, you'll get a free claim, unless you're over your limit.`;
  return found.rule === "wrong_number"
    ? `If the number isn't corrected ${by}, you'll get a free claim, unless you're over your limit.`
    : "We're checking this. It takes a minute.";
}

/** Shows a case of the guarantee with its rule, and lets the owner contest a decision once. */
export function GuaranteeNote({ found, canContest }: { found: GuaranteeCase; canContest: boolean }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="bad-lead">
      <p data-state={found.state}>
        <strong>{RULE_LABELS[found.rule]}:</strong> {describeCase(found)}
      </p>
      {canContest && found.canContest && (
        <button type="button" className="link-button" onClick={() => setOpen(true)}>
          Contest this decision
        </button>
      )}
      {isOpen && <ContestDialog purchaseId={found.purchaseId} onClose={() => setOpen(false)} />}
    </div>
  );
}

function ContestDialog({ purchaseId, onClose }: { purchaseId: string; onClose: () => void }) {
  const { formProps, isBusy } = useAppForm({
    schema: contestSchema,
    send: (json) =>
      unwrap(browserApi().api["lead-purchases"][":id"].contest.$post({ param: { id: purchaseId }, json })),
    meta: {
      done: { title: "Decision contested", description: "Our team will look at it and answer you here." },
      failed: { title: "Failed to contest", description: "Please try again." },
      refreshes: [BAD_LEADS_KEY],
    },
    onSuccess: onClose,
  });
  return (
    <Dialog title="Contest this decision" onClose={onClose}>
      <Form className="stack gap-4" {...formProps}>
        <p>
          You can contest a decision once. Our team will read what you write, and their decision is final.
        </p>
        <TextAreaField name="note" label="What did we get wrong?" required rows={4} maxLength={1000} />
        <DialogFooter onBack={onClose}>
          <Button type="submit" variant="main" isBusy={isBusy}>
            {isBusy ? "Sending..." : "Contest"}
          </Button>
        </DialogFooter>
      </Form>
    </Dialog>
  );
}
