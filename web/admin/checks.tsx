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
import { adminApi } from "../lib/browser-api.ts";
import { formatDateTime } from "../lib/format-time.ts";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogFooter } from "../ui/dialog.tsx";
import { TextField } from "../ui/field.tsx";
import type { Column } from "./admin-list.tsx";
import { ListPage } from "./list-page.tsx";
import { rowAction, type RowActionMap, RowActions } from "./row-actions.tsx";
import { providerColumn } from "./shared-columns.tsx";

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

type Approval = { seenOn: string | null; endsOn: string | null };

/** Asks when the admin saw the proof, and until when it is valid. */
function ApproveDialog({
  check,
  isBusy,
  onConfirm,
  onClose,
}: {
  check: AdminCheck;
  isBusy: boolean;
  onConfirm: (approval: Approval) => void;
  onClose: () => void;
}) {
  const [today] = useState(() => sydneyDay(Date.now()));
  const hasEnd = check.kind !== "abn";
  return (
    <Dialog title={`Approve this ${nameOfCheck(check.kind)}?`} onClose={onClose}>
      <form
        className="stack gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          const fields = new FormData(event.currentTarget);
          const dayOf = (name: string) => String(fields.get(name) ?? "") || null;
          onConfirm({ seenOn: dayOf("seenOn"), endsOn: dayOf("endsOn") });
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
          <Button type="submit" variant="main" isBusy={isBusy}>
            Approve check
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}

/** Returns what an admin can decide about a check. */
function actionsOf(check: AdminCheck): RowActionMap {
  const { id, state, businessName } = check;
  const decide = (json: CheckDecision) =>
    unwrap(adminApi().checks[":id"].decision.$post({ param: { id }, json }));
  const kind = nameOfCheck(check.kind);
  const of = `the ${kind} of ${businessName}`;
  const failed = "Couldn't save your decision";
  return {
    approve: rowAction<Approval>({
      label: "Approve",
      of,
      when: state === "waiting",
      isMain: true,
      act: ({ choice }) => decide({ decision: "valid", ...choice }),
      done: { title: "Check approved", description: businessName },
      failed,
      dialog: (props) => <ApproveDialog check={check} {...props} />,
    }),
    decline: {
      label: "Decline",
      of,
      act: ({ reason }) => decide({ decision: "refused", reason }),
      done: { title: "Check declined", description: businessName },
      failed,
      confirm: {
        title: `Decline this ${kind}?`,
        text: (
          <p>
            {businessName} will get an email with your reason.
            {state === "valid" && " Their business may no longer be verified."}
            {check.hasFile && " We’ll delete the certificate."}
          </p>
        ),
        reason: { label: "Why (the provider will read it)", required: true },
        label: "Decline check",
      },
    },
  };
}

function Decision({ check }: { check: AdminCheck }) {
  const { state } = check;
  return (
    <div>
      {check.seenOn && <span className="list__sub">Seen on {formatLongDay(check.seenOn)}</span>}
      {check.endsOn && (
        <span className="list__sub">
          {state === "waiting" ? "They say until" : "Valid until"} {formatLongDay(check.endsOn)}
        </span>
      )}
      {check.reason && <span className="list__sub">“{check.reason}”</span>}
      {(state === "waiting" || state === "valid") && <RowActions list="checks" actions={actionsOf(check)} />}
    </div>
  );
}

const COLUMNS: readonly Column<AdminCheck>[] = [
  providerColumn(({ createdAt }) => `Sent ${formatDateTime(createdAt)}`),
  { name: "Check", cell: (check) => <CheckCell check={check} /> },
  { name: "Decision", cell: (check) => <Decision check={check} /> },
];

/** Shows the proofs that businesses sent. */
export function ChecksPart() {
  return (
    <ListPage
      title="Checks"
      isPart
      intro="A business is verified while its ABN, insurance and police check are valid. Customers see what you checked and when."
      list="checks"
      filters={{ list: { label: "Show", options: CHOICES } }}
      fetchPage={({ list: state }, part) => adminApi().checks.$get({ query: { ...part, state } })}
      columns={COLUMNS}
      idOf={(check) => check.id}
      empty={({ list }) => (list === "waiting" ? "No checks are waiting." : "None yet.")}
    />
  );
}
