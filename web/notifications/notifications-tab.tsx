import { type QuietHours, quietHoursSchema } from "../../contract/notifications.ts";
import { unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";
import { SettingsForm } from "../settings/settings-form.tsx";
import { ChoiceGroup } from "../ui/choice-group.tsx";
import { TextField } from "../ui/field.tsx";
import { InstallApp } from "./install-app.tsx";
import { NOTIFICATIONS_KEY, useNotifications } from "./notifications.ts";
import { PauseForm } from "./pause-form.tsx";
import { PushDevices } from "./push-devices.tsx";
import { TeamAlertsNote } from "./team-alerts-note.tsx";
import { WhichLeadsForm } from "./which-leads-form.tsx";

/** Shows the user's devices, their alerts and their quiet hours. */
export function NotificationsTab() {
  const { data: settings, isError } = useNotifications();
  if (isError) return <p className="form__note">Your settings didn't load. Please check your connection.</p>;
  if (!settings) return <p className="form__note">Loading…</p>;
  const { publicKey, devices, isLost = false, quietHours, leadAlerts, given } = settings;
  if (publicKey === null)
    return (
      <div className="form">
        <p className="form__note">Notifications aren't set up here yet. Please check back later.</p>
        <InstallApp />
      </div>
    );
  return (
    <div className="form">
      <section className="settings__part" aria-labelledby="push-title">
        <h3 id="push-title">{given ? "Your team" : "New leads"}</h3>
        <PushDevices {...{ publicKey, devices, isLost }} />
        {given ? <TeamAlertsNote given={given} /> : <OwnerAlertsNote />}
      </section>
      {!given && <PauseForm until={leadAlerts.pausedUntil} />}
      {!given && <WhichLeadsForm alerts={leadAlerts} />}
      <QuietHoursForm
        hours={quietHours}
        note={
          given
            ? "You won't get alerts during quiet hours. If someone mentions you, we'll let you know when quiet hours end. Times are Sydney time."
            : "You won't get new-lead alerts during quiet hours. When they end, one message will list the leads you can still buy. Times are Sydney time."
        }
      />
      <InstallApp />
    </div>
  );
}

function OwnerAlertsNote() {
  return (
    <details>
      <summary>When will I get alerts?</summary>
      <ul className="form__note">
        <li>Someone asks for a quote in a region you watch. You'll see the suburb, the job and the price.</li>
        <li>
          A lead you're buying needs you: your time to pay is nearly up, it's yours, or it's back for sale.
        </li>
        <li>
          A customer replies to our text, or someone on your team writes @ and your name in a lead's notes.
        </li>
      </ul>
      <p className="form__note">
        You'll get alerts even when Naturestrip is closed. During quiet hours, they'll only be about your own
        purchases.
      </p>
    </details>
  );
}

/**
 * Shows a form for quiet hours.
 * @param note what quiet hours mean for this user
 */
function QuietHoursForm({ hours, note }: { hours: QuietHours; note: string }) {
  return (
    <SettingsForm
      title="Quiet hours"
      note={note}
      schema={quietHoursSchema}
      lists={["isOn"]}
      read={({ isOn, ...times }) => ({ ...times, isOn: Array.isArray(isOn) && isOn.length > 0 })}
      send={async (json) => ({
        quietHours: await unwrap(browserApi().api.notifications["quiet-hours"].$put({ json })),
      })}
      query={NOTIFICATIONS_KEY}
      save="Save quiet hours"
      meta={{
        done: "Quiet hours saved",
        failed: { title: "Update failed", description: "Your quiet hours weren't saved. Please try again." },
      }}
    >
      <ChoiceGroup
        name="isOn"
        legend={<span className="visually-hidden">Quiet hours</span>}
        type="checkbox"
        options={[{ value: "on", label: "Use quiet hours" }]}
        chosen={hours.isOn ? ["on"] : []}
      />
      <TextField name="startsAt" label="From" type="time" required defaultValue={hours.startsAt} />
      <TextField name="endsAt" label="Until" type="time" required defaultValue={hours.endsAt} />
    </SettingsForm>
  );
}
