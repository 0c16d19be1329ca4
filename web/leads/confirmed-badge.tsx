import { CONFIRMED_LABELS, type ConfirmedBy } from "../../contract/lead-labels.ts";
import { Badge } from "../ui/badge.tsx";

/** Shows that we can reach the customer, and how we know. */
export const ConfirmedBadge = ({ by }: { by: ConfirmedBy | null }) =>
  by !== null && <Badge>{CONFIRMED_LABELS[by]}</Badge>;
