import { useMutation } from "@tanstack/react-query";
import { useState } from "react";

import type { PushDevice } from "../../contract/notifications.ts";
import { useIsImpersonating } from "../auth/not-impersonating.tsx";
import { unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";
import { formatDate } from "../lib/format-time.ts";
import { Badge } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { useToast } from "../ui/toaster.tsx";
import { NOTIFICATIONS_KEY } from "./notifications.ts";
import { findObstacle, type Obstacle, subscribe, unsubscribe } from "./push-subscription.ts";

const OBSTACLES: Record<Obstacle, string> = {
  unsupported: "This browser can't show notifications. Try Chrome, Edge, Firefox or Safari.",
  home_screen:
    "On an iPhone or iPad, first add Naturestrip to your home screen, as shown below. Open it from there and come back to this page.",
  denied:
    "Notifications are blocked for this site. Allow them in your browser's settings, then reload this page.",
};

/**
 * Returns the actions for a device. Each shows its result in a toast.
 * @param enabledText the text below "Notifications are on"
 */
export function useDeviceActions(publicKey: string, enabledText = "Send a test to see one.") {
  const toast = useToast();
  const { devices } = browserApi().api.notifications;
  const refreshes = [NOTIFICATIONS_KEY];
  const turnOn = useMutation({
    mutationFn: async () => {
      const json = await subscribe(publicKey);
      return json && unwrap(devices.$post({ json }));
    },
    meta: { failed: "Notifications are still off", refreshes },
    onSuccess: (added) => {
      if (added) toast({ title: "Notifications are on", description: enabledText });
    },
  });
  const turnOff = useMutation({
    mutationFn: async ({ id, isCurrent }: PushDevice) => {
      await unwrap(devices[":id"].$delete({ param: { id } }));
      // The server no longer sends to this device, so a failure here does no harm.
      if (isCurrent) await unsubscribe().catch(() => {});
    },
    meta: { done: "Notifications are off for that device", failed: "That didn't work", refreshes },
  });
  const sendTest = useMutation({
    mutationFn: ({ id }: PushDevice) => unwrap(devices[":id"].test.$post({ param: { id } })),
    meta: {
      done: { title: "A test is on its way", description: "It'll take a few seconds." },
      failed: "The test wasn't sent",
      refreshes,
    },
  });
  return { turnOn, turnOff, sendTest };
}

/** Shows the devices that receive alerts, and a switch for this one. @param isLost this one has stopped receiving them */
export function PushDevices({
  publicKey,
  devices,
  isLost,
}: {
  publicKey: string;
  devices: readonly PushDevice[];
  isLost: boolean;
}) {
  const isImpersonating = useIsImpersonating();
  const { turnOn, turnOff, sendTest } = useDeviceActions(publicKey);
  // Safe during render: the settings load only in the browser.
  const [obstacle] = useState(findObstacle);
  const isOnThisDevice = devices.some(({ isCurrent }) => isCurrent);
  return (
    <>
      {devices.length > 0 && (
        <ul>
          {devices.map((device) => (
            <li key={device.id} className="line session">
              <div>
                <p>
                  <strong>{device.device}</strong>{" "}
                  {device.isCurrent && <Badge tone="fresh">This device</Badge>}
                </p>
                <p className="muted text-sm">On since {formatDate(device.createdAt)}</p>
              </div>
              {!isImpersonating && (
                <div className="session__acts">
                  <Button
                    variant="quiet"
                    aria-label={`Send a test to ${device.device}`}
                    isBusy={sendTest.isPending && sendTest.variables.id === device.id}
                    onClick={() => sendTest.mutate(device)}
                  >
                    Send a test
                  </Button>
                  <Button
                    variant="quiet"
                    aria-label={`Turn off on ${device.device}`}
                    isBusy={turnOff.isPending && turnOff.variables.id === device.id}
                    onClick={() => turnOff.mutate(device)}
                  >
                    Turn off
                  </Button>
                </div>
              )}
            </li>
          ))}
        </ul>
      )}
      {isLost && (
        <p className="form__note">
          This browser has stopped receiving notifications. Turn them on again to get your alerts here.
        </p>
      )}
      {!isOnThisDevice && !isImpersonating && obstacle && <p className="form__note">{OBSTACLES[obstacle]}</p>}
      {!isOnThisDevice && !isImpersonating && !obstacle && (
        <div className="form__foot">
          <Button variant="main" isBusy={turnOn.isPending} onClick={() => turnOn.mutate()}>
            {turnOn.isPending ? "Turning on…" : "Turn on for this device"}
          </Button>
        </div>
      )}
    </>
  );
}
