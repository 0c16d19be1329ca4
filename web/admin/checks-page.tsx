import { useState } from "react";

import {
  type AdminCheck,
  CHECK_LABELS,
  type CheckDecision,
  formatAbn,
  nameOfCheck,
} from "../../contract/checks.ts";
import { addDays, formatLongDay, sydneyDay } from "../../contract/sydney-time.ts";
import { unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";
import { formatDateTime } from "../lib/format-time.ts";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogFooter } from "../ui/dialog.tsx";
import { TextField } from "../ui/field.tsx";
import type { Column } from "./admin-list.tsx";
import { ConfirmActionDialog } from "./confirm-action-dialog.tsx";
import { ProviderCell } from "./id-link.tsx";
import { ListPage } from "./list-page.tsx";
import { useAdminAction } from "./use-admin-action.ts";

export function meta() {
  return [{ title: "Checks | Naturestrip admin" }, { name: "robots", content: "noindex" }];
}

const CHOICES = [
  { value: "waiting", label: "Waiting" },
  { value: "valid", label: "Valid" },
  { value: "refused", label: "Declined" },
  { value: "ended", label: "Ended" },
] as const;

/** Public registers in which an admin looks up a number. */
const REGISTERS: Partial<Record<AdminCheck["kind"], { label: string; url: (number: string) => string }>> = {
  abn: {
    label: "Look up in the business register",
    url: (number) => `https://abr.business.gov.au/ABN/View?abn=${encodeURIComponent(number)}`,
  },
  licence: {
    label: "Look up in the licence register",
    url: () => "https://verify.licence.nsw.gov.au/home/Trades",
  },
};

function CheckCell({ check }: { check: AdminCheck }) {
  const register = REGISTERS[check.kind];
  return (
    <div>
      {CHECK_LABELS[check.kind]}
      {check.number && (
        <span className="list__sub">{check.kind === "abn" ? formatAbn(check.number) : check.number}</span>
      )}
      {check.hasFile && (
        <a className="list__sub" href={`/api/super-admin/checks/${check.id}/file`} download>
          Download the certificate ({Math.max(1, Math.round((check.fileBytes ?? 0) / 1024))} kB)
        </a>
      )}
      {register && check.number && (
        <a className="list__sub" href={register.url(check.number)} target="_blank" rel="noreferrer">
          {register.label}
        </a>
      )}
    </div>
  );
}

function useDecision(check: AdminCheck, onDone: () => void) {
  return useAdminAction({
    list: "checks",
    act: (json: CheckDecision) =>
      unwrap(browserApi().api["super-admin"].checks[":id"].decision.$post({ param: { id: check.id }, json })),
    getDoneMessage: ({ decision }) => ({
      title: decision === "valid" ? "Check approved" : "Check declined",
      description: check.businessName,
    }),
    failed: "Couldn't save your decision",
    onDone,
  });
}

/** Asks when the admin saw the proof, and until when it is valid. */
function ApproveDialog({ check, onClose }: { check: AdminCheck; onClose: () => void }) {
  const decide = useDecision(check, onClose);
  const [today] = useState(() => sydneyDay(Date.now()));
  const hasEnd = check.kind !== "abn";
  return (
    <Dialog title={`Approve this ${nameOfCheck(check.kind)}?`} onClose={onClose}>
      <form
        className="dialog__form"
        onSubmit={(event) => {
          event.preventDefault();
          const fields = new FormData(event.currentTarget);
          const dayOf = (name: string) => String(fields.get(name) ?? "") || null;
          decide.mutate({ decision: "valid", seenOn: dayOf("seenOn"), endsOn: dayOf("endsOn") });
        }}
      >
        <p>{check.businessName} will get an email. Customers will see what you checked and when.</p>
        <TextField name="seenOn" label="Seen on" type="date" required max={today} defaultValue={today} />
        {hasEnd && (
          <TextField
            name="endsOn"
            label="Valid until"
            type="date"
            required
            min={today}
            defaultValue={check.endsOn ?? addDays(today, 365)}
          />
        )}
        <DialogFooter onBack={onClose}>
          <Button type="submit" variant="main" isBusy={decide.isPending}>
            Approve check
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}

function DeclineDialog({ check, onClose }: { check: AdminCheck; onClose: () => void }) {
  const decide = useDecision(check, onClose);
  return (
    <ConfirmActionDialog
      title={`Decline this ${nameOfCheck(check.kind)}?`}
      reason={{ label: "Why (the provider will read it)", required: true }}
      actionLabel="Decline check"
      isBusy={decide.isPending}
      onConfirm={(reason) => decide.mutate({ decision: "refused", reason })}
      onClose={onClose}
    >
      <p>
        {check.businessName} will get an email with your reason.
        {check.state === "valid" && " Their business may no longer be verified."}
        {check.hasFile && " We’ll delete the certificate."}
      </p>
    </ConfirmActionDialog>
  );
}

function CheckActions({ check }: { check: AdminCheck }) {
  const [dialog, setDialog] = useState<CheckDecision["decision"] | null>(null);
  const close = () => setDialog(null);
  const of = (
    <span className="visually-hidden">
      {" "}
      the {nameOfCheck(check.kind)} of {check.businessName}
    </span>
  );
  return (
    <div>
      {check.seenOn && <span className="list__sub">Seen on {formatLongDay(check.seenOn)}</span>}
      {check.endsOn && (
        <span className="list__sub">
          {check.state === "waiting" ? "They say until" : "Valid until"} {formatLongDay(check.endsOn)}
        </span>
      )}
      {check.reason && <span className="list__sub">“{check.reason}”</span>}
      {(check.state === "waiting" || check.state === "valid") && (
        <div className="list__acts">
          {check.state === "waiting" && <Button onClick={() => setDialog("valid")}>Approve{of}</Button>}
          <Button variant="quiet" onClick={() => setDialog("refused")}>
            Decline{of}
          </Button>
        </div>
      )}
      {dialog === "valid" && <ApproveDialog check={check} onClose={close} />}
      {dialog === "refused" && <DeclineDialog check={check} onClose={close} />}
    </div>
  );
}

const COLUMNS: readonly Column<AdminCheck>[] = [
  {
    name: "Provider",
    cell: (check) => (
      <ProviderCell
        id={check.businessId}
        name={check.businessName}
        sub={`Sent ${formatDateTime(check.createdAt)}`}
      />
    ),
  },
  { name: "Check", cell: (check) => <CheckCell check={check} /> },
  { name: "Decision", cell: (check) => <CheckActions check={check} /> },
];

/** Shows the proofs that businesses sent. */
export default function ChecksPage() {
  return (
    <ListPage
      title="Checks"
      intro="A business is verified while its ABN, insurance and police check are valid. Customers see what you checked and when."
      list="checks"
      choices={CHOICES}
      fetchPage={(state, cursor) => browserApi().api["super-admin"].checks.$get({ query: { cursor, state } })}
      columns={COLUMNS}
      idOf={(check) => check.id}
      empty="No checks are waiting."
    />
  );
}
