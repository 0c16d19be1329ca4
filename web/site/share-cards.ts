import type { PageServiceId } from "../../contract/catalogue.ts";
import { LEAD_PRICE_CENTS } from "../../contract/money.ts";
import { formatDollars, formatFromPrice } from "../lib/format-money.ts";
import { SERVICE_LIST } from "../services/services.ts";
import type { SceneName } from "./scenes/scene.tsx";

/** The words and the scene of a share picture. `plate` is on a sign below the words, and `note` is beside it. */
export type ShareCard = {
  lead: string;
  title: string;
  detail?: string;
  plate?: string | undefined;
  note?: string;
  scene: SceneName;
};

const PAGE_CARDS = {
  home: { lead: "Tell us once", title: "Lawn and garden quotes in NSW", scene: "suburb" },
  services: { lead: "Get a quote for", title: "Lawn and garden services", scene: "garden_cleanup" },
  locations: { lead: "Lawn and garden care in", title: "Your suburb", scene: "terraces" },
  providers: {
    lead: "Lawn and garden leads",
    title: "One lead, one provider",
    plate: `${formatDollars(LEAD_PRICE_CENTS / 100)} per lead`,
    scene: "green_waste_removal",
  },
  reviews: { lead: "Good or bad, all shown", title: "How reviews work", scene: "strata" },
  "how-it-works": {
    lead: "Five short answers",
    title: "How it works and what it costs",
    scene: "on-the-way",
  },
} as const satisfies Record<string, ShareCard>;

type PageCardName = keyof typeof PAGE_CARDS | PageServiceId;

const SERVICE_CARDS = SERVICE_LIST.map(({ id, name, fromDollars }): [string, ShareCard] => [
  id,
  {
    lead: "Get a quote for",
    title: name,
    plate: `from ${formatFromPrice(fromDollars)}`,
    note: "in NSW",
    scene: id,
  },
]);

/** The share pictures of pages other than suburbs, by the name in their address. */
export const SHARE_CARDS = new Map<string, ShareCard>([...Object.entries(PAGE_CARDS), ...SERVICE_CARDS]);

/** Returns the address and the description of a page's share picture. */
export function sharePicture(name: PageCardName): { path: string; alt: string } {
  const { lead, title } = SHARE_CARDS.get(name)!;
  return { path: `/og/page-${name}.png`, alt: `${lead}: ${title}, with a drawing` };
}
