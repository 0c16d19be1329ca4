import { AttentionList } from "./attention-list.tsx";
import { BadLeadsPart } from "./bad-leads.tsx";
import { BookingsPart } from "./bookings.tsx";
import { ChecksPart } from "./checks.tsx";
import { FreeClaimsPart } from "./free-claims.tsx";
import { MarketWork } from "./market-work.tsx";
import { PartsPage } from "./parts-page.tsx";
import { ReviewsPart } from "./reviews.tsx";
import { SuspiciousRequests } from "./suspicious-requests.tsx";

/** Shows the problems that only a person can solve, then what the market is waiting for. */
function Attention() {
  return (
    <>
      <AttentionList />
      <MarketWork />
    </>
  );
}

/** Shows all that waits for an admin. */
export default function ToDecidePage() {
  return (
    <PartsPage
      title="To decide"
      path="/admin"
      parts={[
        { label: "Attention", counts: "attention", Content: Attention },
        {
          show: "suspicious",
          label: "Suspicious requests",
          counts: "quarantined",
          Content: SuspiciousRequests,
        },
        { show: "bad-leads", label: "Bad leads", counts: "badLeads", Content: BadLeadsPart },
        { show: "free-claims", label: "Free claims", counts: "guarantee", Content: FreeClaimsPart },
        { show: "reviews", label: "Reviews", counts: "reviews", Content: ReviewsPart },
        { show: "checks", label: "Checks", counts: "checks", Content: ChecksPart },
        { show: "bookings", label: "Bookings", counts: "bookings", Content: BookingsPart },
      ]}
    />
  );
}
