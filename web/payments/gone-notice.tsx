import type { GoneReason } from "../market/market.ts";
import { Button } from "../ui/button.tsx";

export const NOT_CHARGED = "You have not been charged.";

/** What to say when the lead left the list; by whom or what it was taken. */
export const GONE_TEXTS: Record<Exclude<GoneReason, "bought">, string> = {
  taken: `Another provider got this one first. ${NOT_CHARGED}`,
  sold: `This lead was sold a moment ago. ${NOT_CHARGED}`,
  withdrawn: `This lead is no longer on the market. ${NOT_CHARGED}`,
  expired: `This lead has expired. ${NOT_CHARGED}`,
};

/** Says why there is nothing to buy any more, and leads back. */
export function GoneNotice({ children, onClose }: { children: React.ReactNode; onClose: () => void }) {
  return (
    <div className="gone" role="alert">
      <p>{children}</p>
      <Button onClick={onClose}>Back to the leads</Button>
    </div>
  );
}
