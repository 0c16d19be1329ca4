import { useState } from "react";
import { Link } from "react-router";

import { useUser } from "../auth/current-user.ts";
import { createLazyPart } from "../lib/lazy-part.ts";
import { useDismissal } from "../lib/use-dismissal.ts";
import { useLazyDialog } from "../lib/use-lazy-dialog.ts";
import { useNotifications } from "../notifications/notifications.ts";
import { useDeviceActions } from "../notifications/push-devices.tsx";
import { findObstacle } from "../notifications/push-subscription.ts";
import { useSavedCards } from "../payments/saved-cards-query.ts";
import { useTeam } from "../team/team.ts";
import { Icon } from "../ui/icon.tsx";
import { firstSteps, type FirstStep } from "./first-steps.ts";

const teamDialog = createLazyPart(async () => (await import("../team/team-dialog.tsx")).TeamDialog);

const NAME = "naturestrip-set-up";

/** Lists what a new owner should set up, until all is done or the owner hides it. */
export function SetUpChecklist({ takesCards }: { takesCards: boolean }) {
  const { id, isImpersonating } = useUser();
  const [isHidden, hide] = useDismissal(NAME, id);
  if (isHidden || isImpersonating) return null;
  return takesCards ? <WithCards onHide={hide} /> : <Steps onHide={hide} />;
}

type Props = { onHide: () => void };

function WithCards(props: Props) {
  return <Steps {...props} cards={{ savedCardCount: useSavedCards().data?.length }} />;
}

/** Lists the steps and shows which ones are done. @param cards omitted if the site takes no cards */
function Steps({ onHide, cards }: Props & { cards?: { savedCardCount: number | undefined } }) {
  const user = useUser();
  const { data: settings } = useNotifications();
  const { data: mates } = useTeam();
  const team = useLazyDialog(teamDialog);
  // Safe during render: this part renders only in the browser.
  const [obstacle] = useState(findObstacle);
  const steps = firstSteps({
    takesCards: cards !== undefined,
    regions: user.watchedRegions.length,
    services: user.services.length,
    cards: cards?.savedCardCount,
    devices: settings && (settings.publicKey === null ? null : settings.devices.length),
    obstacle,
    mates: mates?.length,
  });
  const left = steps?.filter(({ isDone }) => !isDone).length ?? 0;
  if (!steps || left === 0) return null;
  return (
    <section className="stack gap-4 first-run" aria-labelledby="first-run-title">
      <header className="cluster first-run__head">
        <h3 id="first-run-title" className="text-lg">
          Set up in five minutes
        </h3>
        <p className="muted text-sm">
          {steps.length - left} of {steps.length} done
        </p>
        <button type="button" className="first-run__act" onClick={onHide}>
          Hide
        </button>
      </header>
      <ol className="stack first-run__steps">
        {steps.map((step) => (
          <li key={step.id} data-done={step.isDone || undefined}>
            <span className="first-run__mark" aria-hidden="true">
              {step.isDone && <Icon name="check" size={16} />}
            </span>
            <StepLine
              step={step}
              publicKey={settings?.publicKey ?? null}
              onOpenTeam={(button) => void team.open(button)}
            />
          </li>
        ))}
      </ol>
      {team.Dialog && <team.Dialog onClose={team.close} />}
    </section>
  );
}

function StepLine({
  step,
  publicKey,
  onOpenTeam,
}: {
  step: FirstStep;
  publicKey: string | null;
  onOpenTeam: (button: HTMLElement) => void;
}) {
  if (step.isDone)
    return (
      <p>
        {step.label}
        <span className="visually-hidden">: done</span>
      </p>
    );
  return (
    <p>
      {step.href ? (
        <Link to={step.href}>{step.label}</Link>
      ) : step.id === "notifications" && publicKey !== null ? (
        <TurnOn publicKey={publicKey} label={step.label} />
      ) : (
        <button
          type="button"
          className="first-run__act"
          onClick={({ currentTarget }) => onOpenTeam(currentTarget)}
        >
          {step.label}
        </button>
      )}
      <span className="muted text-sm first-run__why">{step.why}</span>
    </p>
  );
}

function TurnOn({ publicKey, label }: { publicKey: string; label: string }) {
  const { turnOn } = useDeviceActions(publicKey, "We'll let you know here when someone asks for a quote.");
  return (
    <button
      type="button"
      className="first-run__act"
      onClick={() => {
        if (!turnOn.isPending) turnOn.mutate();
      }}
    >
      {turnOn.isPending ? "Turning on…" : label}
    </button>
  );
}
