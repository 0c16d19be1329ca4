import type * as z from "zod/mini";

import { providerCreationSchema } from "../../contract/auth.ts";
import { unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";
import { useAppForm } from "../lib/use-app-form.ts";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogFooter } from "../ui/dialog.tsx";
import { TextField } from "../ui/field.tsx";
import { Form } from "../ui/form.tsx";
import { adminMeta } from "./overview.tsx";

type NewProvider = z.output<typeof providerCreationSchema>;

const field = (name: keyof NewProvider) => ({ name, maxLength: 254 });

/** Creates an account for a provider. The admin stays signed in. */
export function NewProviderDialog({ onClose }: { onClose: () => void }) {
  const { formProps, isBusy } = useAppForm({
    schema: providerCreationSchema,
    send: (json) => unwrap(browserApi().api.auth.provider.signup.$post({ json })),
    meta: adminMeta("providers", "Failed to create provider", "Provider account created successfully"),
    onSuccess: onClose,
  });
  return (
    <Dialog title="Create New Provider" onClose={onClose}>
      <Form className="stack gap-4" {...formProps} autoComplete="off">
        <div className="stack gap-4 dialog__pair">
          <TextField {...field("firstName")} label="First name" required />
          <TextField {...field("lastName")} label="Last name" required />
          <TextField
            {...field("username")}
            label="Username"
            autoCapitalize="none"
            autoComplete="off"
            spellCheck={false}
            required
          />
          <TextField {...field("email")} label="Email" type="email" required />
          <TextField
            {...field("password")}
            label="Password"
            type="password"
            autoComplete="new-password"
            hint="At least 6 characters"
            required
          />
          <TextField {...field("phone")} label="Phone" type="tel" required />
          <TextField {...field("companyName")} label="Company name" />
          <TextField {...field("abn")} label="ABN" inputMode="numeric" />
        </div>
        <TextField {...field("businessAddress")} label="Business address" />
        <TextField {...field("serviceAreas")} label="Service areas" placeholder="e.g., Sydney, Newcastle" />
        <DialogFooter onBack={onClose}>
          <Button type="submit" variant="main" isBusy={isBusy}>
            {isBusy ? "Creating..." : "Create Provider"}
          </Button>
        </DialogFooter>
      </Form>
    </Dialog>
  );
}
