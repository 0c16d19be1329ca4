import { useState } from "react";

import { bankDetailsSchema, type MaskedBankDetails } from "../../contract/account.ts";
import { unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";
import { formatDate } from "../lib/format-time.ts";
import { SettingsForm } from "../settings/settings-form.tsx";
import { Alert } from "../ui/alert.tsx";
import { Button } from "../ui/button.tsx";
import { TextField } from "../ui/field.tsx";
import { BANK_KEY, type BankState, useBankDetails } from "./account.ts";

/** Shows the business's masked bank details, with a form to replace them. */
export function BankDetailsSection({ initial }: { initial: BankState }) {
  const { data: state } = useBankDetails(initial);
  const [isChanging, setChanging] = useState(false);
  if (!state) return null;
  if (state.problem !== null) return <Alert>{state.problem}</Alert>;
  if (state.details.updatedAt === null || isChanging) {
    return <BankForm hasDetails={isChanging} onDone={() => setChanging(false)} />;
  }
  return <Stored details={state.details} onChange={() => setChanging(true)} />;
}

function Stored({ details, onChange }: { details: MaskedBankDetails; onChange: () => void }) {
  const rows = [
    ["Bank", details.bankName],
    ["Account name", details.accountName],
    ["BSB", details.bsb],
    ["Account number", details.accountNumber],
  ] as const;
  return (
    <>
      <dl className="facts-list">
        {rows.map(([label, value]) => (
          <div key={label}>
            <dt className="muted">{label}</dt>
            <dd>{value === null ? "Not provided" : <Digits text={value} />}</dd>
          </div>
        ))}
      </dl>
      <p className="form__note">
        Saved {formatDate(details.updatedAt!)}. We store them encrypted and never show the full numbers again.
      </p>
      <div className="form__foot">
        <Button variant="quiet" onClick={onChange}>
          Change bank details
        </Button>
      </div>
    </>
  );
}

/** Shows a masked number as dots. Screen readers announce its last digits. */
function Digits({ text }: { text: string }) {
  if (!text.startsWith("•")) return text;
  return (
    <>
      <span aria-hidden="true">{text}</span>
      <span className="visually-hidden">ends in {text.slice(-3)}</span>
    </>
  );
}

function BankForm({ hasDetails, onDone }: { hasDetails: boolean; onDone: () => void }) {
  return (
    <SettingsForm
      note={
        hasDetails
          ? "Saving replaces all four fields. Leave them all empty to delete your details."
          : "We store them encrypted. Only you can see them, and only the last digits of the numbers."
      }
      schema={bankDetailsSchema}
      send={async (json) => ({
        details: await unwrap(browserApi().api.user["bank-details"].$put({ json })),
        problem: null,
      })}
      query={BANK_KEY}
      save="Save bank details"
      meta={{
        done: "Bank details updated",
        failed: {
          title: "Update failed",
          description: "Failed to update bank details. Please try again.",
          isFixed: true,
        },
      }}
      onSuccess={onDone}
      foot={
        hasDetails && (
          <Button variant="quiet" onClick={onDone}>
            Cancel
          </Button>
        )
      }
    >
      <div className="pair">
        <TextField name="bankName" label="Bank name" autoComplete="off" />
        <TextField name="accountName" label="Account name" autoComplete="off" />
      </div>
      <div className="pair">
        <TextField name="bsb" label="BSB" autoComplete="off" inputMode="numeric" placeholder="000-000" />
        <TextField name="accountNumber" label="Account number" autoComplete="off" inputMode="numeric" />
      </div>
    </SettingsForm>
  );
}
