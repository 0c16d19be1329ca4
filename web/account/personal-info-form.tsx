import { type PersonalInfo, personalInfoSchema } from "../../contract/account.ts";
import { ADDRESS_PLACEHOLDER } from "../../contract/auth.ts";
import { CURRENT_USER_KEY, useUser } from "../auth/current-user.ts";
import { CHECKS_KEY } from "../checks/own-checks.ts";
import { SUGGESTED_REGIONS_KEY } from "../market/region-picker.tsx";
import { unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";
import { SettingsForm } from "../settings/settings-form.tsx";
import { TextAreaField, TextField } from "../ui/field.tsx";
import { useToast } from "../ui/toaster.tsx";
import { PERSONAL_INFO_KEY, usePersonalInfo } from "./account.ts";
import { PendingEmail } from "./pending-email.tsx";

/** Shows the user's personal details and, for a provider, the company. */
export function PersonalInfoSection({ initial }: { initial: PersonalInfo }) {
  const user = useUser();
  const toast = useToast();
  const { data: info } = usePersonalInfo(initial);
  const isProvider = user.userType === "provider";
  const field = fieldsOf(info);
  const ownersOnly = user.isImpersonating && {
    readOnly: true,
    hint: "Only the account's owner can change this.",
  };
  return (
    <SettingsForm
      note={
        <>
          You sign in as <strong>{info.username}</strong>
          {info.email && info.email !== info.username && (
            <>
              {" "}
              or <strong>{info.email}</strong>
            </>
          )}
          .
        </>
      }
      schema={personalInfoSchema}
      send={(json) => unwrap(browserApi().api.user["personal-info"].$put({ json }))}
      query={PERSONAL_INFO_KEY}
      save="Save changes"
      meta={{
        failed: {
          title: "Update failed",
          description: "Failed to update personal information. Please try again.",
          isFixed: true,
        },
        refreshes: [CURRENT_USER_KEY, SUGGESTED_REGIONS_KEY, CHECKS_KEY],
      }}
      onSuccess={({ pendingEmail }) => {
        const asked = pendingEmail !== info.pendingEmail ? pendingEmail : null;
        toast({
          title: "Personal information updated",
          ...(asked && { description: `To confirm ${asked}, open the link we emailed there.` }),
        });
      }}
    >
      {info.pendingEmail && <PendingEmail email={info.pendingEmail} />}
      <div className="pair">
        <TextField {...field("firstName")} label="First name" autoComplete="given-name" required />
        <TextField {...field("lastName")} label="Last name" autoComplete="family-name" required />
      </div>
      <div className="pair">
        <TextField {...field("phone")} label="Phone" type="tel" autoComplete="tel" required />
        <TextField
          {...field("email")}
          // The new address is pending and shown above. Reset the field to the current email.
          key={`${info.email} ${info.pendingEmail}`}
          label="Email"
          type="email"
          autoComplete="email"
          required={!isProvider}
          {...ownersOnly}
        />
      </div>
      {isProvider && <BusinessFields field={field} abn={ownersOnly} />}
    </SettingsForm>
  );
}

/** Returns the initial value of each field. */
function fieldsOf(info: PersonalInfo) {
  return (name: Exclude<keyof PersonalInfo, "username" | "pendingEmail">) => ({
    name,
    defaultValue: info[name] === ADDRESS_PLACEHOLDER ? "" : (info[name] ?? ""),
  });
}

function BusinessFields({
  field,
  abn,
}: {
  field: ReturnType<typeof fieldsOf>;
  /** More attributes of the ABN's field. */
  abn: false | { readOnly: boolean; hint: string };
}) {
  return (
    <fieldset className="stack gap-4 form__group">
      <legend>Your business</legend>
      <div className="pair">
        <TextField {...field("companyName")} label="Company name" autoComplete="organization" />
        <TextField {...field("abn")} label="ABN" inputMode="numeric" {...abn} />
      </div>
      <TextField {...field("businessAddress")} label="Business address" autoComplete="address-line1" />
      <TextField {...field("insuranceDetails")} label="Insurance details" />
      <TextAreaField
        {...field("serviceAreas")}
        label="Service areas"
        rows={2}
        placeholder="e.g., Sydney, Newcastle"
        hint="Suburbs or postcodes, in your own words"
      />
    </fieldset>
  );
}
