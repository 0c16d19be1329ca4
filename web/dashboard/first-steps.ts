import type { Obstacle } from "../notifications/push-subscription.ts";

/** The settings that a business has made so far; undefined until loaded. */
export type SetUp = {
  takesCards: boolean;
  regions: number;
  services: number;
  cards: number | undefined;
  /** Null if the server cannot send notifications. */
  devices: number | null | undefined;
  /** Why this browser cannot turn on notifications; null if it can. */
  obstacle: Obstacle | null;
  mates: number | undefined;
};

export type FirstStep = {
  id: "regions" | "services" | "notifications" | "card" | "team";
  label: string;
  why: string;
  isDone: boolean;
  /** The page for this step; null for a button on this page. */
  href: string | null;
};

/** Returns the steps to set up a new business, most useful first. @returns null until everything has loaded */
export function firstSteps({
  takesCards,
  regions,
  services,
  cards,
  devices,
  obstacle,
  mates,
}: SetUp): FirstStep[] | null {
  if (devices === undefined || mates === undefined || (takesCards && cards === undefined)) return null;
  const steps: (FirstStep | false)[] = [
    {
      id: "regions",
      label: "Choose your regions",
      why: "You'll see every new lead there the moment it comes in.",
      isDone: regions > 0,
      href: "/settings#work",
    },
    {
      id: "services",
      label: "Choose your services",
      why: "Leads for other work will stay out of your way.",
      isDone: services > 0,
      href: "/settings#work",
    },
    devices !== null && {
      id: "notifications",
      label: "Turn on notifications",
      why:
        obstacle === "home_screen"
          ? "Add Naturestrip to your home screen first. We'll show you how."
          : "Get alerts about new leads, even when Naturestrip is closed.",
      isDone: devices > 0,
      // The page says how to remove the obstacle.
      href: obstacle === null ? null : "/settings?tab=alerts",
    },
    takesCards && {
      id: "card",
      label: "Save a card",
      why: "Tick the box when you buy your first lead. The next ones take two taps.",
      isDone: (cards ?? 0) > 0,
      href: "/settings?tab=bank#cards",
    },
    {
      id: "team",
      label: "Add your team",
      why: "They can call and quote from their own phones. Only you can buy leads.",
      isDone: mates > 0,
      href: null,
    },
  ];
  return steps.filter((step) => step !== false);
}
