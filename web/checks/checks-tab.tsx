import { useState } from "react";
import * as z from "zod/mini";

import {
  CERTIFICATE_TYPES,
  certificateSchema,
  type Check,
  CHECK_LABELS,
  type CheckKind,
  type CheckOverview,
  checkStatementSchema,
  formatAbn,
  MAX_CERTIFICATE_BYTES,
  nameOfCheck,
  type OwnChecks,
  VERIFYING_KINDS,
} from "../../contract/checks.ts";
import { joinServices } from "../../contract/service-list.ts";
import { formatLongDay } from "../../contract/sydney-time.ts";
import { useIsImpersonating } from "../auth/not-impersonating.tsx";
import { unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";
import { useAppForm } from "../lib/use-app-form.ts";
import { Alert } from "../ui/alert.tsx";
import { Badge } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { FieldFrame, controlProps, TextField } from "../ui/field.tsx";
import { Form } from "../ui/form.tsx";
import { CHECKS_KEY, endsSoon, useOwnChecks } from "./own-checks.ts";

const NOTES: Record<CheckKind, string> = {
  abn: "We look up your ABN in the Australian Business Register.",
  insurance: "Send us your certificate of currency. Only our admins can open it.",
  police: "We look at your national police check with you, by video or in person. We don’t keep a copy.",
  licence:
    "You only need one for residential building work over $5,000, such as retaining walls, paving and fences.",
};

/** Shows each check of the business, and a form to send what is missing. */
export function ChecksTab({ initial }: { initial?: OwnChecks }) {
  const isImpersonating = useIsImpersonating();
  const { data, isError } = useOwnChecks(initial);
  if (isError && !data) return <Alert>Your checks didn’t load. Please check your connection.</Alert>;
  if (!data) return <p className="form__note">Loading your checks…</p>;
  return (
    <>
      <p className="form__note">{describeState(data)}</p>
      {data.checks.map((check) => (
        <section key={check.kind} className="settings__part" aria-labelledby={`check-${check.kind}`}>
          <OwnCheck check={check} abn={data.abn} canSend={!isImpersonating} />
        </section>
      ))}
    </>
  );
}

function describeState({ isVerified, checks }: OwnChecks): string {
  if (isVerified) return "Your business is verified. Customers see what we’ve checked, and when.";
  const missing = VERIFYING_KINDS.filter(
    (kind) => !checks.some((check) => check.kind === kind && check.valid),
  );
  if (missing.length === 0) return "Your business isn’t verified yet.";
  return `Your business isn’t verified yet. We still need your ${joinServices(missing.map(nameOfCheck))}. Customers see each check once we’ve approved it.`;
}

const numberOf = ({ kind, number }: Check) => number && (kind === "abn" ? formatAbn(number) : number);

function OwnCheck({
  check: { kind, valid, latest },
  abn,
  canSend,
}: {
  check: CheckOverview[number];
  abn: string | null;
  canSend: boolean;
}) {
  const [isOpen, setOpen] = useState(false);
  const isWaiting = latest?.state === "waiting";
  const isDue = !isWaiting && (!valid || endsSoon(valid));
  return (
    <>
      <div className="cluster check__head">
        <h3 id={`check-${kind}`}>{CHECK_LABELS[kind]}</h3>
        {valid && (
          <Badge tone={endsSoon(valid) ? "warm" : "fresh"}>
            {endsSoon(valid) ? "Expires soon" : "Checked"}
          </Badge>
        )}
        {isWaiting && <Badge>We’re checking it</Badge>}
        {latest?.state === "refused" && <Badge tone="hot">Not accepted</Badge>}
        {latest?.state === "ended" && !valid && (
          <Badge tone="hot">{latest.endsOn ? "Expired" : "Ended"}</Badge>
        )}
      </div>
      <p className="form__note">{NOTES[kind]}</p>
      {valid && <CheckFacts check={valid} />}
      {latest && <LatestCheck check={latest} />}
      {canSend &&
        (isDue || isOpen ? (
          kind === "insurance" ? (
            <CertificateForm onDone={() => setOpen(false)} />
          ) : (
            <StatementForm kind={kind} abn={abn} onDone={() => setOpen(false)} />
          )
        ) : (
          <div className="form__foot">
            <Button variant="quiet" onClick={() => setOpen(true)}>
              Send a new one<span className="visually-hidden"> ({CHECK_LABELS[kind]})</span>
            </Button>
          </div>
        ))}
    </>
  );
}

function CheckFacts({ check }: { check: Check }) {
  const number = numberOf(check);
  return (
    <p>
      {number && <strong>{number}. </strong>}
      {check.seenOn && `We checked it on ${formatLongDay(check.seenOn)}. `}
      {check.endsOn && `Valid until ${formatLongDay(check.endsOn)}.`} <CertificateLink check={check} />
    </p>
  );
}

/** Shows a check that is newer than the valid one: it waits, was declined or has ended. */
function LatestCheck({ check }: { check: Check }) {
  const number = numberOf(check);
  if (check.state === "refused") return <p>We couldn’t accept it: {check.reason}</p>;
  if (check.state === "ended")
    return (
      <p>
        {check.endsOn
          ? `It was valid until ${formatLongDay(check.endsOn)}.`
          : "It ended when you changed your ABN. Please send us the new one."}
      </p>
    );
  return (
    <p>
      You sent {number ? <strong>{number}</strong> : "it"}. We’ll email you once we’ve looked at it.{" "}
      <CertificateLink check={check} />
    </p>
  );
}

function CertificateLink({ check: { id, hasFile } }: { check: Check }) {
  return (
    hasFile && (
      <a href={`/api/user/checks/${id}/file`} download>
        Download the certificate
      </a>
    )
  );
}

const SENT = {
  done: { title: "Sent", description: "We’ll email you once we’ve looked at it." },
  failed: "That wasn’t sent",
  refreshes: [CHECKS_KEY],
};

const STATEMENTS = {
  abn: { label: "Your ABN", action: "Send ABN" },
  police: { label: "Reference number", action: "Ask Us to Look at It" },
  licence: { label: "Licence number", action: "Send Licence" },
} as const;

function StatementForm({
  kind,
  abn,
  onDone,
}: {
  kind: keyof typeof STATEMENTS;
  abn: string | null;
  onDone: () => void;
}) {
  const { formProps, errors, isBusy } = useAppForm({
    schema: checkStatementSchema,
    read: (values) => ({ kind, number: values[`${kind}-number`] }),
    send: (json) => unwrap(browserApi().api.user.checks.$post({ json })),
    meta: SENT,
    onSuccess: onDone,
  });
  const { label, action } = STATEMENTS[kind];
  return (
    <Form className="form" {...formProps}>
      <TextField
        name={`${kind}-number`}
        label={label}
        required={kind !== "police"}
        error={errors.number}
        autoComplete="off"
        maxLength={40}
        {...(kind === "abn" && { inputMode: "numeric" as const, defaultValue: abn ?? "" })}
      />
      <div className="form__foot">
        <Button type="submit" variant={kind === "licence" ? "quiet" : "main"} isBusy={isBusy}>
          {isBusy ? "Sending…" : action}
        </Button>
      </div>
    </Form>
  );
}

/** The certificate's facts, and the file before it is uploaded. */
const certificateFormSchema = z.object({
  ...certificateSchema.shape,
  file: z.custom<File>().check(
    z.refine((file) => file?.size > 0, "Please choose your certificate"),
    z.refine(
      (file) => !(file?.size > MAX_CERTIFICATE_BYTES),
      "This file is larger than 10 MB. Please choose a smaller one.",
    ),
    z.refine(
      (file) => Object.hasOwn(CERTIFICATE_TYPES, file?.type ?? ""),
      "Please choose a PDF, JPEG or PNG file",
    ),
  ),
});

function CertificateForm({ onDone }: { onDone: () => void }) {
  const [file, setFile] = useState<File | null>(null);
  const { formProps, errors, isBusy } = useAppForm({
    schema: certificateFormSchema,
    read: ({ number, endsOn }) => ({ number, endsOn, file }),
    send: ({ file: body, ...query }) =>
      unwrap(
        browserApi().api.user.checks.insurance.$post(
          { query },
          { init: { body, headers: { "Content-Type": body.type } } },
        ),
      ),
    meta: SENT,
    onSuccess: onDone,
  });
  const frame = { name: "file", label: "Certificate", required: true, error: errors.file };
  return (
    <Form className="form" {...formProps}>
      <div className="pair">
        <TextField name="number" label="Policy number" required autoComplete="off" maxLength={40} />
        <TextField name="endsOn" label="Last day of cover" type="date" required />
      </div>
      <FieldFrame {...frame} hint="PDF, JPEG or PNG, up to 10 MB">
        <input
          className="input"
          type="file"
          accept={Object.keys(CERTIFICATE_TYPES).join(",")}
          {...controlProps({ ...frame, hint: true })}
          onChange={(event) => setFile(event.target.files?.[0] ?? null)}
        />
      </FieldFrame>
      <div className="form__foot">
        <Button type="submit" variant="main" isBusy={isBusy}>
          {isBusy ? "Sending…" : "Send Certificate"}
        </Button>
      </div>
    </Form>
  );
}
