import { servicesSchema } from "../../contract/account.ts";
import { SERVICE_IDS, serviceName } from "../../contract/catalogue.ts";
import { CURRENT_USER_KEY, useUser } from "../auth/current-user.ts";
import { RegionPicker, type SuggestedRegions } from "../market/region-picker.tsx";
import { unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";
import { SettingsForm } from "../settings/settings-form.tsx";
import { ChoiceGroup } from "../ui/choice-group.tsx";
import { useToast } from "../ui/toaster.tsx";

const SERVICE_OPTIONS = SERVICE_IDS.map((id) => ({ value: id, label: serviceName(id) }));

export function WorkAreas({ suggested }: { suggested?: SuggestedRegions | undefined }) {
  const user = useUser();
  const toast = useToast();
  return (
    <div className="form">
      <section className="settings__part" aria-labelledby="regions-title">
        <h3 id="regions-title">Regions</h3>
        <p className="form__note">You'll see new leads from these regions. You can still buy anywhere.</p>
        <RegionPicker
          watched={user.watchedRegions}
          suggested={suggested}
          submitLabel="Save regions"
          onSaved={() => toast({ title: "Regions updated" })}
        />
      </section>
      {user.userType === "provider" && <Services />}
    </div>
  );
}

function Services() {
  const { services } = useUser();
  return (
    <SettingsForm
      title="Services"
      note="Choose your services. Leave blank for all."
      schema={servicesSchema}
      lists={["services"]}
      send={(json) => unwrap(browserApi().api.user.services.$put({ json }))}
      query={CURRENT_USER_KEY}
      save="Save services"
      meta={{
        done: "Services updated",
        failed: { title: "Update failed", description: "Your services weren't saved. Please try again." },
      }}
    >
      <ChoiceGroup
        name="services"
        legend={<span className="visually-hidden">Services</span>}
        type="checkbox"
        options={SERVICE_OPTIONS}
        chosen={services}
      />
    </SettingsForm>
  );
}
