import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

import { customerCorrectionSchema } from "../../contract/corrections.ts";
import { unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";
import { useAppForm } from "../lib/use-app-form.ts";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogFooter } from "../ui/dialog.tsx";
import { TextField } from "../ui/field.tsx";
import { Form } from "../ui/form.tsx";
import { type PurchasedLead, applySavedFields } from "./purchases.ts";

/** Edits a customer's contact details. The lead's history keeps the previous values. */
export function CorrectDialog({ contact, onClose }: { contact: PurchasedLead; onClose: () => void }) {
  const client = useQueryClient();
  const { id } = contact;
  const [shown] = useState({
    customerName: contact.customerName,
    customerPhone: contact.customerPhone,
    customerEmail: contact.customerEmail ?? "",
    customerAddress: contact.customerAddress,
  });
  const { formProps, isBusy } = useAppForm({
    schema: customerCorrectionSchema,
    // Send only changed fields: a team member may correct another field at the same time.
    read: (values) => {
      const changed = Object.entries(values).filter(
        ([field, value]) => value !== shown[field as keyof typeof shown],
      );
      return changed.length > 0 ? Object.fromEntries(changed) : { customerName: shown.customerName };
    },
    send: (json) =>
      unwrap(browserApi().api["lead-purchases"][":id"].customer.$patch({ param: { id }, json })),
    meta: {
      done: "Details corrected",
      failed: {
        title: "Correction wasn't saved",
        description: "We couldn't reach the server. Please try again.",
      },
    },
    onSuccess: (saved) => {
      void applySavedFields(client, id, saved);
      onClose();
    },
  });
  return (
    <Dialog title="Correct details" onClose={onClose}>
      <Form className="form" {...formProps}>
        <p className="form__note">
          For a misspelt name, a wrong digit or a new address. What the customer sent us will stay in the
          history.
        </p>
        <div className="pair">
          <TextField name="customerName" label="Customer name" required defaultValue={shown.customerName} />
          <TextField
            name="customerPhone"
            label="Phone"
            type="tel"
            required
            defaultValue={shown.customerPhone}
          />
        </div>
        <TextField name="customerEmail" label="Email" type="email" defaultValue={shown.customerEmail} />
        <TextField name="customerAddress" label="Address" defaultValue={shown.customerAddress} />
        <DialogFooter onBack={onClose}>
          <Button type="submit" variant="main" isBusy={isBusy}>
            {isBusy ? "Saving…" : "Save"}
          </Button>
        </DialogFooter>
      </Form>
    </Dialog>
  );
}
