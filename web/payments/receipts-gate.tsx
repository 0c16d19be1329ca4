import type { CurrentUser } from "../../contract/auth.ts";
import { AccessRequired } from "../auth/access-required.tsx";
import { Gate } from "../auth/gate.tsx";

/** Reason why a user may not read receipts, by type of user; null if allowed. */
export type ReceiptsGate = "signed_out" | "team" | "customer" | null;

export function receiptsGate(user: CurrentUser | null): ReceiptsGate {
  if (!user) return "signed_out";
  if (user.userType === "provider") return null;
  return user.userType === "team_member" ? "team" : "customer";
}

export function ReceiptsClosed({ gate }: { gate: Exclude<ReceiptsGate, null> }) {
  if (gate !== "team") return <AccessRequired isSignedIn={gate === "customer"} />;
  return (
    <Gate title="Receipts are for the owner">
      The owner of your business buys the leads and can find the receipts here.
    </Gate>
  );
}
