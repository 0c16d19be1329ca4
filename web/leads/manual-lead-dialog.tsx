import { useEffect, useState } from "react";

import { MANUAL_LEAD_SERVICES, serviceName } from "../../contract/catalogue.ts";
import { fieldOf, type LeadField } from "../../contract/lead-fields.ts";
import { label } from "../../contract/lead-labels.ts";
import { MANUAL_DEFAULTS, manualLeadSchema } from "../../contract/manual-leads.ts";
import { unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";
import { useAppForm } from "../lib/use-app-form.ts";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogFooter } from "../ui/dialog.tsx";
import { SelectField, TextAreaField, TextField } from "../ui/field.tsx";
import { Form } from "../ui/form.tsx";
import { Icon } from "../ui/icon.tsx";
import { useToast } from "../ui/toaster.tsx";

const optionsOf = (name: LeadField) =>
  (fieldOf(name).choices ?? []).map((value) => ({ value, label: label(value) }));

const SERVICES = [
  { value: "", label: "Choose a service" },
  ...MANUAL_LEAD_SERVICES.map((id) => ({ value: id, label: serviceName(id) })),
];

/** Shows the form for a lead that the provider found elsewhere. */
export function ManualLeadDialog({
  onAdded,
  onOpen,
  onClose,
}: {
  onAdded: () => unknown;
  /** Opens the added lead. @param id its purchase's id */
  onOpen: (id: string) => void;
  onClose: () => void;
}) {
  const toast = useToast();
  // Use one id while the form is open, so that a retry does not create a second lead.
  const [submissionId] = useState(() => crypto.randomUUID());
  const { formProps, isBusy } = useAppForm({
    schema: manualLeadSchema,
    read: ({ serviceType, ...values }) => ({
      ...values,
      serviceType: serviceType ? [serviceType] : [],
      submissionId,
    }),
    send: (json) => unwrap(browserApi().api.leads.manual.$post({ json })),
    meta: { failed: { title: "Error Adding Lead", description: "Failed to add manual lead." } },
    onSuccess: ({ id }) => {
      toast({ title: "Lead added successfully", next: { label: "Open", act: () => onOpen(id) } });
      onAdded();
      onClose();
    },
  });
  useEffect(() => document.getElementsByName("customerName")[0]?.focus(), []);
  return (
    <Dialog title="Add Lead" onClose={onClose}>
      <Form className="form" {...formProps}>
        <p className="form__note">
          Add a customer of your own. They'll go straight into your pipeline at no cost, and no other provider
          will see them.
        </p>
        <div className="pair">
          <TextField name="customerName" label="Customer name" required />
          <TextField name="customerPhone" label="Phone" type="tel" required />
        </div>
        <SelectField name="serviceType" label="Service" required options={SERVICES} />
        <details className="fold">
          <summary>
            More about the job
            <Icon name="chevron" />
          </summary>
          <div className="fold__fields">
            <SelectField
              name="urgency"
              label="How soon"
              options={optionsOf("urgency")}
              defaultValue={MANUAL_DEFAULTS.urgency}
            />
            <TextField name="customerEmail" label="Email" type="email" />
            <div className="pair">
              <TextField name="customerAddress" label="Street address" />
              <TextField name="preferredLocation" label="Suburb" />
            </div>
            <div className="pair">
              <SelectField
                name="budgetConcern"
                label="How important is price?"
                options={optionsOf("budgetConcern")}
                defaultValue={MANUAL_DEFAULTS.budgetConcern}
              />
              <SelectField
                name="previousExperience"
                label="Experience with gardeners"
                options={optionsOf("previousExperience")}
                defaultValue={MANUAL_DEFAULTS.previousExperience}
              />
            </div>
            <TextAreaField name="specificRequests" label="What they want done" rows={3} />
          </div>
        </details>
        <DialogFooter onBack={onClose}>
          <Button type="submit" variant="main" isBusy={isBusy}>
            {isBusy ? "Adding…" : "Add Lead"}
          </Button>
        </DialogFooter>
      </Form>
    </Dialog>
  );
}
