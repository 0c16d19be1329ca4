import { useRef, useState } from "react";

import type { CurrentUser } from "../../contract/auth.ts";
import { DAY_MS } from "../../contract/durations.ts";
import {
  BAD_LEAD_REPORT_DAYS,
  BAD_LEAD_LABELS,
  BAD_LEAD_REASONS,
  type BadLeadOverview,
  badLeadReportSchema,
} from "../../contract/bad-leads.ts";
import { type GuaranteeCase, NO_ANSWER } from "../../contract/guarantee.ts";
import { useUser } from "../auth/current-user.ts";
import { unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";
import { useClock } from "../lib/clock.tsx";
import { useAppForm } from "../lib/use-app-form.ts";
import { uploadPhotos } from "../photos/upload-photos.ts";
import { Button } from "../ui/button.tsx";
import { ChoiceGroup } from "../ui/choice-group.tsx";
import { Dialog, DialogFooter } from "../ui/dialog.tsx";
import { controlProps, FieldFrame, TextAreaField } from "../ui/field.tsx";
import { Form } from "../ui/form.tsx";
import { BAD_LEADS_KEY, useBadLeadOverview } from "./bad-leads.ts";
import { GuaranteeNote } from "./guarantee-note.tsx";

type Bought = { id: string; customerName: string; mode: string; purchasedAt: number };

function mayReport(user: CurrentUser, purchase: Bought, now: number): boolean {
  const isBought = purchase.mode === "stripe" || purchase.mode === "direct" || purchase.mode === "claimed";
  const isOwner = user.userType === "provider" && !user.isImpersonating;
  return isOwner && isBought && now - purchase.purchasedAt < BAD_LEAD_REPORT_DAYS * DAY_MS;
}

const isOver = (found: GuaranteeCase) => found.state === "refused" || found.state === "revoked";

/** Finds a purchase's case under the guarantee and its bad-lead report. */
function findDecisions(overview: BadLeadOverview | null, { id }: Bought) {
  return {
    found: overview?.cases.find(({ purchaseId }) => purchaseId === id),
    report: overview?.reports.find(({ purchaseId }) => purchaseId === id),
  };
}

/** Returns whether the user can report a purchase as a bad lead. False while its decisions load. */
export function useCanReport(purchase: Bought): boolean {
  const user = useUser();
  const overview = useBadLeadOverview();
  const { now } = useClock();
  const { found, report } = findDecisions(overview, purchase);
  if (!overview || report || (found && !isOver(found))) return false;
  return mayReport(user, purchase, now);
}

/** Shows the guarantee's decision about a bought lead or the state of its bad-lead report. */
export function BadLeadSection({ purchase }: { purchase: Bought }) {
  const user = useUser();
  const { found, report } = findDecisions(useBadLeadOverview(), purchase);
  if (found && !(isOver(found) && report?.state === "open")) {
    return <GuaranteeNote found={found} canContest={user.userType === "provider" && !user.isImpersonating} />;
  }
  if (!report) return null;
  const words = {
    open: "You reported this as a bad lead. We're looking into it.",
    granted: "Bad-lead report accepted. You got a free claim.",
    refused: "Your bad-lead report was declined.",
  };
  return (
    <p className="bad-lead">
      {words[report.state]} {report.answer}
    </p>
  );
}

const PHOTO_FIELD = { name: "photo", label: "Photo" };

export function ReportDialog({ purchase, onClose }: { purchase: Bought; onClose: () => void }) {
  const [photo, setPhoto] = useState<File | null>(null);
  const photoInput = useRef<HTMLInputElement>(null);
  const { formProps, isBusy } = useAppForm({
    schema: badLeadReportSchema,
    send: async (form) => {
      const json = { ...form, hasPhoto: photo !== null };
      // The photo first: a lead can be reported only once, and a refused photo must not use that up.
      if (photo) await uploadPhotos(`/api/photos/purchases/${purchase.id}/report`, [photo]);
      return unwrap(
        browserApi().api["lead-purchases"][":id"]["bad-lead"].$post({ param: { id: purchase.id }, json }),
      );
    },
    meta: {
      done: { title: "Bad lead reported", description: "We'll look into it and answer you here." },
      failed: { title: "Failed to report the bad lead", description: "Please try again." },
      refreshes: [BAD_LEADS_KEY],
    },
    onSuccess: onClose,
  });
  return (
    <Dialog title="Report a bad lead" onClose={onClose}>
      <Form className="stack gap-4" {...formProps}>
        <p>
          Can't reach <bdi>{purchase.customerName}</bdi>, they never asked for a quote, or it isn't the job we
          sold you? Tell us within {BAD_LEAD_REPORT_DAYS} days of buying. If we agree, you'll get a free claim
          for another lead. You don't need a report for calls without an answer: log {NO_ANSWER.callsInWords}{" "}
          over {NO_ANSWER.hours} hours, and we'll ask the customer. The purchase itself is still final.
        </p>
        <ChoiceGroup
          name="reason"
          legend="What's wrong?"
          type="radio"
          required
          options={BAD_LEAD_REASONS.map((value) => ({ value, label: BAD_LEAD_LABELS[value] }))}
          chosen={[]}
        />
        <TextAreaField name="note" label="What happened" rows={3} maxLength={1000} />
        <FieldFrame {...PHOTO_FIELD} optional hint="Only your business and our admins can see it.">
          <input
            ref={photoInput}
            className="input"
            type="file"
            accept="image/*"
            {...controlProps({ ...PHOTO_FIELD, hint: true })}
            onChange={(event) => setPhoto(event.target.files?.[0] ?? null)}
          />
          {photo && (
            <div>
              <button
                type="button"
                className="link-button"
                onClick={() => {
                  photoInput.current!.value = "";
                  photoInput.current!.focus();
                  setPhoto(null);
                }}
              >
                Remove photo
              </button>
            </div>
          )}
        </FieldFrame>
        <DialogFooter onBack={onClose}>
          <Button type="submit" variant="main" isBusy={isBusy}>
            {isBusy ? "Sending..." : "Send report"}
          </Button>
        </DialogFooter>
      </Form>
    </Dialog>
  );
}
