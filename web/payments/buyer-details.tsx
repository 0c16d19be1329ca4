import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";

import type { CurrentUser } from "../../contract/auth.ts";
import { formToObject } from "../../contract/forms.ts";
import type { FieldErrors } from "../../contract/problem.ts";
import { type PurchaseRequest, purchaseRequestSchema } from "../../contract/purchases.ts";
import { useUser } from "../auth/current-user.ts";
import { checkForm } from "../lib/check-form.ts";
import { useFormErrors } from "../lib/use-form-errors.ts";
import { type Pipeline, PURCHASES_KEY } from "../purchases/purchases.ts";
import { TextField } from "../ui/field.tsx";

/**
 * Returns the buyer's email and phone number. The account may have an unconfirmed email or none. Then the last purchase
 * has what the buyer typed.
 */
function useContact({ email, pendingEmail, phone }: CurrentUser) {
  const client = useQueryClient();
  // Read once: the form must not change while the buyer types.
  return useState(() => {
    const purchases = client.getQueryData<Pipeline>(PURCHASES_KEY)?.purchases ?? [];
    const last = purchases
      .filter(({ buyerEmail, buyerPhone }) => buyerEmail && buyerPhone)
      .toSorted((a, b) => b.purchasedAt - a.purchasedAt)[0];
    return { email: email ?? pendingEmail ?? last?.buyerEmail, phone: phone ?? last?.buyerPhone };
  })[0];
}

/**
 * Shows the purchase form: the buyer's details, filled in from the account, then the children.
 * @param onSubmit receives the validated details
 */
export function BuyerForm({
  onSubmit,
  children,
}: {
  onSubmit: (request: PurchaseRequest) => void;
  children: React.ReactNode;
}) {
  const user = useUser();
  const { ref, errors, validate, clear } = useFormErrors();
  const contact = useContact(user);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const request = validate(event.currentTarget, (form) =>
      checkForm(purchaseRequestSchema, formToObject(form)),
    );
    if (request) onSubmit(request);
  };
  return (
    <form className="stack gap-4 buy" ref={ref} onSubmit={submit} onChange={clear} noValidate>
      {/* The account fills in the details, so that buying takes one tap. Changing them takes another, or an error. */}
      <details className="buy__who" open={!contact.email || !contact.phone}>
        <summary>
          <span>
            Buying as{" "}
            <strong>
              {user.firstName} {user.lastName}
            </strong>
            {user.companyName && `, ${user.companyName}`}
          </span>
          <span className="buy__change">Change</span>
        </summary>
        <BuyerFields contact={contact} errors={errors} />
      </details>
      {children}
    </form>
  );
}

function BuyerFields({ contact, errors }: { contact: ReturnType<typeof useContact>; errors: FieldErrors }) {
  const user = useUser();
  return (
    <div className="stack buy__fields">
      <TextField
        name="buyerName"
        label="Your name"
        required
        autoComplete="name"
        defaultValue={`${user.firstName} ${user.lastName}`}
        error={errors.buyerName}
      />
      <TextField
        name="buyerEmail"
        label="Email"
        type="email"
        required
        autoComplete="email"
        defaultValue={contact.email ?? ""}
        error={errors.buyerEmail}
      />
      <TextField
        name="buyerPhone"
        label="Phone"
        type="tel"
        required
        autoComplete="tel"
        defaultValue={contact.phone ?? ""}
        error={errors.buyerPhone}
      />
      <TextField
        name="buyerCompany"
        label="Company"
        autoComplete="organization"
        defaultValue={user.companyName ?? ""}
        error={errors.buyerCompany}
      />
    </div>
  );
}
