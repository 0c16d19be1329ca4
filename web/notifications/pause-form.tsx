import { useMutation } from "@tanstack/react-query";
import { useRef, useState } from "react";

import { leadPauseSchema, getPauseDayRange } from "../../contract/lead-alerts.ts";
import { useAppForm } from "../lib/use-app-form.ts";
import { Button } from "../ui/button.tsx";
import { TextField } from "../ui/field.tsx";
import { Form } from "../ui/form.tsx";
import { useToast } from "../ui/toaster.tsx";
import { dayName, useLeadAlerts } from "./lead-alerts.ts";

/**
 * Shows a form that pauses alerts about new leads.
 * @param until the day when alerts resume, such as "2026-12-07"; null for no pause
 */
export function PauseForm({ until }: { until: string | null }) {
  const toast = useToast();
  const title = useRef<HTMLHeadingElement>(null);
  const { send, storeSettings } = useLeadAlerts();
  const failed = { title: "Update failed", description: "Your pause wasn't saved. Please try again." };
  const { formProps, isBusy } = useAppForm({
    schema: leadPauseSchema,
    send,
    meta: { failed },
    onSuccess: (answer) => {
      storeSettings(answer);
      if (answer.pausedUntil) toast({ title: `Paused until ${dayName(answer.pausedUntil)}` });
    },
  });
  const end = useMutation({
    mutationFn: () => send({ pausedUntil: null }),
    meta: { done: "Alerts are back on", failed },
    onSuccess: (answer) => {
      storeSettings(answer);
      // The button with the focus has disappeared.
      title.current?.focus({ preventScroll: true });
    },
  });
  const [{ first, last }] = useState(() => getPauseDayRange(Date.now()));
  return (
    <Form className="settings__part" aria-labelledby="pause-title" {...formProps}>
      <h3 id="pause-title" tabIndex={-1} ref={title}>
        Pause new-lead alerts
      </h3>
      <p className="form__note">
        Going away? We won't alert you to new leads until the day you choose. Then one message will list the
        ones you can still buy. You'll still get alerts about a lead you're buying.
      </p>
      {until !== null && (
        <div className="spread sunken paused">
          <strong>Paused until {dayName(until)}</strong>
          <Button variant="main" isBusy={end.isPending} onClick={() => end.mutate()}>
            Turn alerts back on
          </Button>
        </div>
      )}
      <TextField
        key={until}
        name="pausedUntil"
        label="Pause until"
        type="date"
        required
        min={first}
        max={last}
        defaultValue={until ?? ""}
      />
      <div className="form__foot">
        <Button type="submit" variant={until === null ? "main" : "quiet"} isBusy={isBusy}>
          {isBusy ? "Saving…" : until === null ? "Pause" : "Change the day"}
        </Button>
      </div>
    </Form>
  );
}
