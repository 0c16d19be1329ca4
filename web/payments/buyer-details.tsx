import { type FormEvent, useRef } from "react";

import type { CurrentUser } from "../../contract/auth.ts";
import { formToObject } from "../../contract/forms.ts";
import type { FieldErrors } from "../../contract/problem.ts";
import { type PurchaseRequest, purchaseRequestSchema } from "../../contract/purchases.ts";
import { checkForm } from "../lib/check-form.ts";
import { useFormErrors } from "../lib/use-form-errors.ts";
import { TextField } from "../ui/field.tsx";

/**
 * Shows the purchase form: the buyer's details, filled in from the account, then the children.
 * @param onSubmit receives the validated details
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
  const { ref, errors: ownErrors, validate } = useFormErrors();
  const details = useRef<HTMLDetailsElement>(null);
  const isComplete = Boolean(user.phone && emailOf(user));
  const errors = { ...serverErrors, ...ownErrors };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const request = validate(event.currentTarget, (form) =>
      checkForm(purchaseRequestSchema, formToObject(form)),
    );
    if (request) return onSubmit(request);
    // Open the details, so that the buyer can see and fix the errors.
    details.current!.open = true;
  };
  return (
    <form className="buy" ref={ref} onSubmit={submit} noValidate>
      {/* The account fills in the details, so that buying takes one tap. Changing them takes another. */}
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

/** Returns the buyer's email. Falls back to an unconfirmed address. */
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
