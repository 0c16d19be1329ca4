import "./app-hint.css";

import { useState } from "react";

import type { CurrentUser } from "../../contract/auth.ts";
import { showInstallPrompt, type InstallMethod, useInstallMethod } from "../lib/install.ts";
import { useDismissal } from "../lib/use-dismissal.ts";
import { Button } from "../ui/button.tsx";
import { InstallSteps } from "./install-steps.tsx";
import { useNotifications } from "./notifications.ts";
import { useDeviceActions } from "./push-devices.tsx";
import { findObstacle } from "./push-subscription.ts";

const NAME = "naturestrip-app-hint";

/** Shows after the first purchase how to get alerts about new leads on this phone. */
export function AppHint({ user }: { user: CurrentUser }) {
  const [isHidden, hide] = useDismissal(NAME, user.id);
  const { data: settings } = useNotifications();
  const [obstacle] = useState(findObstacle);
  const installMethod = useInstallMethod();
  if (isHidden || !settings) return null;
  const { publicKey, devices } = settings;
  const isOn = devices.length > 0;
  const canTurnOn = publicKey !== null && !isOn && obstacle === null;
  const canInstall = installMethod === "ask" || installMethod === "by_hand";
  if (!canTurnOn && !canInstall) return null;
  const alertState = canTurnOn
    ? "now"
    : publicKey !== null && !isOn && obstacle === "home_screen"
      ? "from_home_screen"
      : "no";
  return (
    <section className="app-hint" aria-labelledby="app-hint-title">
      <h3 id="app-hint-title">
        Your first lead is in.{" "}
        {alertState === "no" ? "Keep Naturestrip handy" : "Be first to know about the next one"}
      </h3>
      <p>{getHintText(installMethod, alertState)}</p>
      {installMethod === "by_hand" && <InstallSteps />}
      <div className="app-hint__foot">
        {canTurnOn && <TurnOn publicKey={publicKey} />}
        {installMethod === "ask" && (
          <Button variant="quiet" onClick={() => void showInstallPrompt()}>
            Install Naturestrip
          </Button>
        )}
        <Button variant="quiet" onClick={hide}>
          No thanks
        </Button>
      </div>
    </section>
  );
}

/**
 * Returns the hint's text.
 * @param alertState when this browser can show alerts: after a tap, only after installation, or never
 */
export function getHintText(
  installMethod: InstallMethod,
  alertState: "now" | "from_home_screen" | "no",
): string {
  if (alertState === "from_home_screen")
    return "Put Naturestrip on your home screen and open it from there. Then you can get alerts about new leads on your phone.";
  if (alertState === "no")
    return installMethod === "by_hand"
      ? "Put it on your home screen, and it'll open like any other app."
      : "Install it, and it'll open like any other app.";
  return "We can let you know as soon as someone asks for a quote, even when Naturestrip is closed.";
}

function TurnOn({ publicKey }: { publicKey: string }) {
  const { turnOn } = useDeviceActions(publicKey, "We'll let you know here when someone asks for a quote.");
  return (
    <Button variant="main" isBusy={turnOn.isPending} onClick={() => turnOn.mutate()}>
      {turnOn.isPending ? "Turning on…" : "Turn on notifications"}
    </Button>
  );
}
