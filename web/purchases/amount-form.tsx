import { useId, useState } from "react";

import { readDecimalComma, textToCents } from "../../contract/money.ts";
import { purchaseUpdateSchema } from "../../contract/purchases.ts";
import { checkForm } from "../lib/check-form.ts";
import { formatAmount } from "../lib/format-money.ts";
import { Button } from "../ui/button.tsx";
import { FieldError } from "../ui/field.tsx";
import type { PurchasedLead } from "./purchases.ts";
import { usePurchaseChange } from "./use-purchase-change.ts";

/** Unsaved input by purchase ID. It survives when the user closes a lead or opens another one. */
const unsaved = new Map<string, string>();

/** Edits the amount the customer pays the provider. Only the button saves the amount. An empty field clears it. */
export function AmountForm({ purchase }: { purchase: PurchasedLead }) {
  const id = useId();
  const { change, isSending } = usePurchaseChange(purchase.id);
  const stored = purchase.customerPaymentAmount ?? "";
  const [typed, setTyped] = useState(() => unsaved.get(purchase.id) ?? null);
  const [error, setError] = useState("");
  const meant = readDecimalComma(typed ?? "");
  const type = (text: string | null) => {
    setTyped(text);
    setError("");
    if (text === null || text === stored) unsaved.delete(purchase.id);
    else unsaved.set(purchase.id, text);
  };
  // Compare amounts, not text: the server stores "240" as "240.00".
  const isUnsaved = typed !== null && typed !== stored && textToCents(typed) !== (textToCents(stored) ?? NaN);
  const submit = (event: React.FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const text = (typed ?? stored).trim();
    const amount = { customerPaymentAmount: text === "" ? null : text };
    const { values, errors } = checkForm(purchaseUpdateSchema, amount);
    setError(errors?.customerPaymentAmount ?? "");
    if (!values) return;
    // The outbox now holds the value. The response may arrive after the user has closed the lead or typed more.
    unsaved.delete(purchase.id);
    void change({ customerPaymentAmount: values.customerPaymentAmount }).then(
      (isSaved) => isSaved && setTyped((now) => (now?.trim() === text ? null : now)),
    );
  };
  return (
    <form className="field amount" onSubmit={submit} noValidate>
      <div className="amount__head">
        <label htmlFor={id}>Customer payment</label>
        {isUnsaved && <span className="amount__unsaved">Not saved</span>}
      </div>
      <div className="line gap-2 amount__row">
        <span aria-hidden="true">$</span>
        <input
          id={id}
          className="input"
          inputMode="decimal"
          autoComplete="off"
          placeholder="0.00"
          value={typed ?? stored}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${id}-error` : undefined}
          onChange={(event) => type(event.target.value)}
        />
        <Button type="submit" variant="quiet" isBusy={isSending} disabled={!isUnsaved}>
          {isSending ? "Saving…" : "Save"}
        </Button>
      </div>
      <FieldError name={id} error={error} />
      {error && meant && (
        <button type="button" className="link-button" onClick={() => type(meant)}>
          Yes, {formatAmount(meant)}
        </button>
      )}
    </form>
  );
}
