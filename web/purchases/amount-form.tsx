import "./amount-form.css";

import { useId, useState } from "react";

import { purchaseUpdateSchema } from "../../contract/purchases.ts";
import { checkForm } from "../lib/check-form.ts";
import { Button } from "../ui/button.tsx";
import { FieldError } from "../ui/field.tsx";
import type { PurchasedLead } from "./purchases.ts";
import { usePurchaseChange } from "./use-purchase-change.ts";

/** What the customer pays the provider. Saved by its button only; empty clears it. */
export function AmountForm({ purchase }: { purchase: PurchasedLead }) {
  const id = useId();
  const { mutate, isPending } = usePurchaseChange(purchase.id);
  const stored = purchase.customerPaymentAmount ?? "";
  const [typed, setTyped] = useState<string | null>(null);
  const [error, setError] = useState("");
  const submit = (event: React.FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const text = (typed ?? stored).trim();
    const amount = { customerPaymentAmount: text === "" ? null : text };
    const { values, errors } = checkForm(purchaseUpdateSchema, amount);
    setError(errors?.customerPaymentAmount ?? "");
    if (values) mutate(values, { onSuccess: () => setTyped(null) });
  };
  return (
    <form className="field amount" onSubmit={submit} noValidate>
      <label htmlFor={id}>Customer payment</label>
      <div className="amount__row">
        <span aria-hidden="true">$</span>
        <input
          id={id}
          className="input"
          type="number"
          inputMode="decimal"
          min="0"
          step="0.01"
          placeholder="0.00"
          value={typed ?? stored}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${id}-error` : undefined}
          onChange={(event) => setTyped(event.target.value)}
        />
        <Button type="submit" look="quiet" isBusy={isPending} disabled={typed === null || typed === stored}>
          {isPending ? "Saving…" : "Save"}
        </Button>
      </div>
      <FieldError name={id} error={error} />
    </form>
  );
}
