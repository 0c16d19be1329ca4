import { Link } from "react-router";

import { SERVICE_IDS, serviceName } from "../../contract/catalogue.ts";
import { resolveChoice, type LeadAlerts, leadChoicesSchema } from "../../contract/lead-alerts.ts";
import { label } from "../../contract/lead-labels.ts";
import { PROPERTY_SIZES, URGENCIES } from "../../contract/lead-choices.ts";
import { regionName } from "../../contract/regions.ts";
import { useUser } from "../auth/current-user.ts";
import { SettingsForm } from "../settings/settings-form.tsx";
import { Alert } from "../ui/alert.tsx";
import { ChoiceGroup } from "../ui/choice-group.tsx";
import { SelectField } from "../ui/field.tsx";
import { useLeadAlerts } from "./lead-alerts.ts";

const SIZES = [
  { value: "", label: "Any size" },
  ...PROPERTY_SIZES.slice(1).map((value) => ({
    value: value as string,
    label: value === PROPERTY_SIZES.at(-1) ? label(value) : `${label(value)} or bigger`,
  })),
];

/** The available values, and those that trigger alerts. */
type Group = { name: "regions" | "services"; available: readonly string[]; alerting: readonly string[] };

/** Returns whether to show a group. A single selected value leaves no choice. */
const hasChoice = ({ available, alerting }: Group) =>
  available.length > 1 || (available.length === 1 && alerting.length === 0);

/** Returns null if all values are ticked, so that values added later are included. */
const nullIfAll = (ticked: unknown, available: readonly string[]) =>
  Array.isArray(ticked) && ticked.length < available.length ? ticked : null;

/** Explains why no lead triggers an alert. Renders nothing if some leads do. */
function NoAlertsWarning({ regions, services }: { regions: Group; services: Group }) {
  if (regions.available.length === 0)
    return (
      <Alert>
        <p>
          You aren't watching any regions yet, so you won't get new-lead alerts. Choose your regions in{" "}
          <Link to="/settings#work">Settings, under Personal Info</Link>.
        </p>
      </Alert>
    );
  const gone = [
    regions.alerting.length === 0 && "You've stopped watching the regions you chose here",
    services.alerting.length === 0 && "Your business no longer offers the services you chose here",
  ].find(Boolean);
  return gone ? <Alert>{gone}, so you won't get new-lead alerts. Please choose again and save.</Alert> : null;
}

/** Shows a form that chooses which leads trigger alerts: by region, service, urgency and size. */
export function WhichLeadsForm({ alerts }: { alerts: LeadAlerts }) {
  const user = useUser();
  const { send, storeSettings } = useLeadAlerts();
  const offered = user.services.length > 0 ? user.services : SERVICE_IDS;
  const regions: Group = {
    name: "regions",
    available: user.watchedRegions,
    alerting: resolveChoice(alerts.regions, user.watchedRegions),
  };
  const services: Group = {
    name: "services",
    available: offered,
    alerting: resolveChoice(alerts.services, offered),
  };
  const groupOf = (group: Group, legend: string, nameOf: (id: string) => string) =>
    hasChoice(group) && (
      <ChoiceGroup
        name={group.name}
        legend={legend}
        type="checkbox"
        options={group.available.map((value) => ({ value, label: nameOf(value) }))}
        chosen={group.alerting}
      />
    );
  return (
    <SettingsForm
      title="Which leads to alert you about"
      note="Untick the leads you don't want alerts for. You'll still see every lead on your dashboard, ready to buy."
      schema={leadChoicesSchema}
      lists={["regions", "services", "urgencies"]}
      read={(values) => ({
        regions: hasChoice(regions) ? nullIfAll(values.regions, regions.available) : null,
        services: hasChoice(services) ? nullIfAll(values.services, services.available) : null,
        urgencies: nullIfAll(values.urgencies, URGENCIES),
        leastSize: values.leastSize || null,
      })}
      send={send}
      save="Save choices"
      meta={{
        done: "Choices saved",
        failed: { title: "Update failed", description: "Your choices weren't saved. Please try again." },
      }}
      onSuccess={storeSettings}
    >
      <NoAlertsWarning regions={regions} services={services} />
      {groupOf(regions, "Regions", regionName)}
      {groupOf(services, "Services", serviceName)}
      <ChoiceGroup
        name="urgencies"
        legend="How soon they need it"
        type="checkbox"
        options={URGENCIES.map((value) => ({ value, label: label(value) }))}
        chosen={alerts.urgencies ?? URGENCIES}
      />
      <SelectField
        name="leastSize"
        label="Smallest lawn"
        options={SIZES}
        defaultValue={alerts.leastSize === PROPERTY_SIZES[0] ? "" : (alerts.leastSize ?? "")}
        hint="If we don't know the size, we'll still alert you."
      />
    </SettingsForm>
  );
}
