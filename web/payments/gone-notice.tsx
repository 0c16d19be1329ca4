import type { LeadGoneReason } from "../market/market.ts";
import { Button } from "../ui/button.tsx";

export const NOT_CHARGED = "You have not been charged.";

/** Messages for a lead that left the list, by reason. */
export const GONE_TEXTS: Record<Exclude<LeadGoneReason, "bought">, string> = {
  taken: `Another provider got this one first. ${NOT_CHARGED}`,
  sold: `This lead was sold a moment ago. ${NOT_CHARGED}`,
  withdrawn: `This lead is no longer on the market. ${NOT_CHARGED}`,
  expired: `This lead has expired. ${NOT_CHARGED}`,
};

/** Shows why the lead can no longer be bought, with a button back to the leads. */
export function GoneNotice({ children, onClose }: { children: React.ReactNode; onClose: () => void }) {
  return (
    <div className="stack gone" role="alert">
      <p>{children}</p>
      <Button onClick={onClose}>Back to the leads</Button>
    </div>
  );
}
