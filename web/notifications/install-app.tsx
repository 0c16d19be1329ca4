import { Button } from "../ui/button.tsx";
import { showInstallPrompt, type InstallMethod, useInstallMethod } from "../lib/install.ts";
import { InstallSteps } from "./install-steps.tsx";

const TEXTS: Record<Exclude<InstallMethod, "by_hand">, string> = {
  ask: "It'll open from your home screen like any other app. No app store needed.",
  menu: "In your browser's menu, choose Install app or Add to Home screen.",
  done: "Naturestrip is installed on this device. Press and hold its icon to go straight to Leads, Today or Add Lead.",
};

/** Shows how to install the app on the home screen in this browser. */
export function InstallApp() {
  const installMethod = useInstallMethod();
  return (
    <section className="settings__part" aria-labelledby="install-title">
      <h3 id="install-title">On your home screen</h3>
      {installMethod === "by_hand" ? <InstallSteps /> : <p className="form__note">{TEXTS[installMethod]}</p>}
      {installMethod === "ask" && (
        <div className="form__foot">
          <Button onClick={() => void showInstallPrompt()}>Install Naturestrip</Button>
        </div>
      )}
    </section>
  );
}
