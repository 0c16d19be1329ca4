import { useRef, useState } from "react";

import type { CurrentUser } from "../../contract/auth.ts";
import { formToObject } from "../../contract/forms.ts";
import { fieldErrors, type FieldErrors } from "../../contract/problem.ts";
import { type PurchaseRequest, purchaseRequestSchema } from "../../contract/purchases.ts";
import { TextField } from "../ui/field.tsx";

/**
 * The form of a purchase: who buys, filled in from the account, and below it whatever else is asked.
 * @param onSubmit called with details that have been checked
 */
export function BuyerForm({
  user,
  serverErrors,
  onSubmit,
  children,
}: {
  user: CurrentUser;
  serverErrors?: FieldErrors;
  onSubmit: (request: PurchaseRequest) => void;
  children: React.ReactNode;
}) {
  const [ownErrors, setOwnErrors] = useState<FieldErrors>({});
  const details = useRef<HTMLDetailsElement>(null);
  const isComplete = Boolean(user.phone && emailOf(user));
  const errors = { ...serverErrors, ...ownErrors };
  const submit = (event: React.FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const checked = purchaseRequestSchema.safeParse(formToObject(new FormData(form)));
    const found = checked.success ? {} : fieldErrors(checked.error.issues);
    setOwnErrors(found);
    if (checked.success) return onSubmit(checked.data);
    details.current!.open = true;
    form.querySelector<HTMLInputElement>(`[name="${Object.keys(found)[0]}"]`)?.focus();
  };
  return (
    <form className="buy" onSubmit={submit} noValidate>
      {/* Filled in from the account: one tap buys, changing it is one tap more. */}
      <details ref={details} className="buy__who" open={!isComplete || Object.keys(errors).length > 0}>
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
        <BuyerFields user={user} errors={errors} />
      </details>
      {children}
    </form>
  );
}

/** An address that waits to be confirmed is good enough to be called back at. */
function emailOf({ email, pendingEmail }: CurrentUser): string {
  return email ?? pendingEmail ?? "";
}

function BuyerFields({ user, errors }: { user: CurrentUser; errors: FieldErrors }) {
  return (
    <div className="buy__fields">
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
        defaultValue={emailOf(user)}
        error={errors.buyerEmail}
      />
      <TextField
        name="buyerPhone"
        label="Phone"
        type="tel"
        required
        autoComplete="tel"
        defaultValue={user.phone ?? ""}
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
