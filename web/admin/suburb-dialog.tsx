import { textToCents } from "../../contract/money.ts";
import { type AdminSuburb, type SuburbChange, suburbChangeSchema } from "../../contract/suburbs.ts";
import { unwrap } from "../lib/api.ts";
import { adminApi } from "../lib/browser-api.ts";
import { useAppForm } from "../lib/use-app-form.ts";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogFooter } from "../ui/dialog.tsx";
import { TextAreaField, TextField } from "../ui/field.tsx";
import { Form } from "../ui/form.tsx";
import { adminMeta } from "./overview.tsx";

/** Returns what changes a suburb, and its texts. The change is public at once. */
export function suburbChange({ id, name, postcode }: AdminSuburb) {
  return {
    send: (json: SuburbChange) => unwrap(adminApi().suburbs[":id"].$patch({ param: { id }, json })),
    done: { title: "Suburb updated", description: `${name} ${postcode}` },
    failed: "Failed to update suburb",
  };
}

/** Edits a suburb's starting price and the texts of its page. */
export function SuburbDialog({ suburb, onClose }: { suburb: AdminSuburb; onClose: () => void }) {
  const { send, done, failed } = suburbChange(suburb);
  const { formProps, isBusy } = useAppForm({
    schema: suburbChangeSchema,
    read: (typed) => ({ ...typed, priceFrom: (textToCents(typed.priceFrom as string) ?? Number.NaN) / 100 }),
    send,
    meta: adminMeta("suburbs", failed, done),
    onSuccess: onClose,
  });

  return (
    <Dialog title={`${suburb.name} ${suburb.postcode}`} onClose={onClose}>
      <Form className="stack gap-4" {...formProps}>
        <div className="stack gap-4 dialog__pair">
          <TextField
            name="priceFrom"
            label="From price, in dollars"
            inputMode="numeric"
            required
            defaultValue={suburb.priceFrom}
          />
          <TextField name="phone" label="Phone" defaultValue={suburb.phone ?? ""} />
          <TextField name="email" label="Email" defaultValue={suburb.email ?? ""} />
          <TextField name="address" label="Address" defaultValue={suburb.address ?? ""} />
        </div>
        <TextAreaField
          name="openingHours"
          label="Opening hours"
          rows={2}
          defaultValue={suburb.openingHours ?? ""}
        />
        <TextAreaField
          name="description"
          label="Description"
          rows={5}
          defaultValue={suburb.description ?? ""}
        />
        <DialogFooter onBack={onClose}>
          <Button type="submit" variant="main" isBusy={isBusy}>
            {isBusy ? "Saving..." : "Save"}
          </Button>
        </DialogFooter>
      </Form>
    </Dialog>
  );
}
