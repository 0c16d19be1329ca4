import { type FormEvent, useRef, useState } from "react";

import { type AdminSuburb, suburbChangeSchema } from "../../contract/admin.ts";
import { formToObject } from "../../contract/forms.ts";
import { type FieldErrors, fieldErrors } from "../../contract/problem.ts";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogFoot } from "../ui/dialog.tsx";
import { TextAreaField, TextField } from "../ui/field.tsx";
import { useErrorFocus } from "../ui/use-error-focus.ts";
import { useSuburbChange } from "./suburbs-page.tsx";

/** From-price and texts of a suburb's page. */
export function SuburbDialog({ suburb, onClose }: { suburb: AdminSuburb; onClose: () => void }) {
  const form = useRef<HTMLFormElement>(null);
  const [errors, setErrors] = useState<FieldErrors>({});
  const focusError = useErrorFocus(form, false);
  const change = useSuburbChange(suburb, onClose);

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (change.isPending) return;
    const typed = formToObject(new FormData(event.currentTarget));
    const checked = suburbChangeSchema.safeParse({
      ...typed,
      priceFrom: Number(typed.priceFrom || Number.NaN),
    });
    focusError();
    setErrors(checked.success ? {} : fieldErrors(checked.error.issues));
    if (checked.success) change.mutate(checked.data);
  }

  return (
    <Dialog title={`${suburb.name} ${suburb.postcode}`} onClose={onClose}>
      <form className="dialog__form" ref={form} onSubmit={submit} noValidate>
        <div className="dialog__pair">
          <TextField
            name="priceFrom"
            label="From price, in dollars"
            inputMode="numeric"
            required
            defaultValue={suburb.priceFrom}
            error={errors.priceFrom}
          />
          <TextField name="phone" label="Phone" defaultValue={suburb.phone ?? ""} error={errors.phone} />
          <TextField name="email" label="Email" defaultValue={suburb.email ?? ""} error={errors.email} />
          <TextField
            name="address"
            label="Address"
            defaultValue={suburb.address ?? ""}
            error={errors.address}
          />
        </div>
        <TextAreaField
          name="openingHours"
          label="Opening hours"
          rows={2}
          defaultValue={suburb.openingHours ?? ""}
          error={errors.openingHours}
        />
        <TextAreaField
          name="description"
          label="Description"
          rows={5}
          defaultValue={suburb.description ?? ""}
          error={errors.description}
        />
        <DialogFoot onBack={onClose}>
          <Button type="submit" look="main" isBusy={change.isPending}>
            {change.isPending ? "Saving..." : "Save"}
          </Button>
        </DialogFoot>
      </form>
    </Dialog>
  );
}
