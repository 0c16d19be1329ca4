import type { AdminLead } from "../../contract/admin-leads.ts";
import { CORRECTION_HOURS } from "../../contract/guarantee.ts";
import { isolate } from "../../contract/names.ts";
import type { ProviderListItem } from "../../contract/providers.ts";
import { type Region, regionName } from "../../contract/regions.ts";
import { unwrap } from "../lib/api.ts";
import { adminApi } from "../lib/browser-api.ts";
import { AssignLeadDialog } from "./assign-lead-dialog.tsx";
import { CLAIM_TITLE, ClaimText } from "./claim-lead-dialog.tsx";
import { isForSale } from "./lead-state.ts";
import { shownName } from "./providers.ts";
import { RegionSelect } from "./region-select.tsx";
import { rowAction, type RowActionMap, RowActions } from "./row-actions.tsx";

/** Returns what an admin can do with a lead. */
function actionsOf(lead: AdminLead): RowActionMap {
  const { id, customerName, revision } = lead;
  const isSuspicious = lead.listingState === "quarantined";
  const isSold = !isSuspicious && lead.status === "sold" && lead.source !== "manual";
  const isOffered = isForSale(lead);
  const isListed = isOffered && lead.listingState === "listed";
  const admin = adminApi();
  const param = { id };
  const name = <bdi>{customerName}</bdi>;
  return {
    release: {
      label: "Release",
      of: <>the request of {name}</>,
      when: isSuspicious,
      isMain: true,
      queueKey: "r",
      act: () => unwrap(admin.leads[":id"].release.$post({ param, json: { revision } })),
      done: { title: "Lead released", description: "It'll be on the market shortly." },
      failed: "Failed to release lead",
    },
    drop: {
      label: "Drop",
      when: isSuspicious,
      queueKey: "d",
      act: ({ reason }) => unwrap(admin.leads[":id"].drop.$post({ param, json: { reason: reason || null } })),
      done: { title: "Lead dropped", description: "It stays on file and won't be sold." },
      failed: "Failed to drop lead",
      confirm: {
        title: "Drop this request?",
        text: <p>Providers will never see {name}'s request. You can't undo this.</p>,
        reason: { label: "Why", required: false },
        label: "Drop",
        isIrreversible: true,
      },
    },
    wrongNumber: {
      label: "Wrong number",
      of: <>on the request of {name}</>,
      when: isSold,
      act: () => unwrap(admin.leads[":id"]["wrong-number"].$post({ param })),
      done: { title: "Marked as a wrong number", description: "The buyer can see it." },
      failed: "Failed to mark the number",
      confirm: {
        title: "Is the number wrong?",
        text: (
          <p>
            The buyer sees that {name}'s number is wrong. If it isn't corrected within {CORRECTION_HOURS}{" "}
            hours, or by the end of their time to call if that's later, they get a free claim. If they're over
            their limit, you decide.
          </p>
        ),
        label: "The number is wrong",
      },
    },
    claim: {
      label: "Claim",
      of: <>the request of {name}</>,
      when: isListed,
      act: () => unwrap(admin["claim-lead"][":id"].$post({ param })),
      done: { title: "Lead Claimed", description: "It's in your pipeline, free of charge." },
      failed: "Failed to Claim Lead",
      confirm: { title: CLAIM_TITLE, text: <ClaimText lead={lead} />, label: CLAIM_TITLE },
    },
    assign: rowAction<ProviderListItem>({
      label: "Assign",
      when: isListed,
      act: ({ choice }) =>
        unwrap(
          admin["assign-lead"][":leadId"][":providerId"].$post({
            param: { leadId: id, providerId: choice.id },
          }),
        ),
      done: ({ choice }) => ({
        title: "Lead Assigned",
        description: `${isolate(customerName)} is in the pipeline of ${isolate(shownName(choice))}.`,
      }),
      failed: "Failed to Assign Lead",
      dialog: ({ onConfirm, ...rest }) => <AssignLeadDialog lead={lead} onAssign={onConfirm} {...rest} />,
    }),
    withdraw: {
      label: "Withdraw",
      when: isOffered,
      act: ({ reason }) => unwrap(admin.leads[":id"].withdraw.$post({ param, json: { reason } })),
      done: { title: "Lead withdrawn", description: "Providers can't see it any more." },
      failed: "Failed to withdraw lead",
      confirm: {
        title: "Withdraw this lead?",
        text: (
          <p>
            This takes {name}'s lead off the market for good. If someone is paying for it right now, try again
            once they've finished.
          </p>
        ),
        reason: { label: "Why", required: true },
        label: "Withdraw",
        isIrreversible: true,
      },
    },
    move: rowAction<Region>({
      label: "Move",
      when: isOffered,
      act: ({ choice: region }) => unwrap(admin.leads[":id"].move.$post({ param, json: { region } })),
      done: ({ choice: region }) => ({
        title: "Lead moved",
        description: `It's now for sale in ${regionName(region)}.`,
      }),
      failed: "Failed to move lead",
      confirm: {
        title: "Move this lead",
        text: <p>We'll withdraw it from {regionName(lead.region)} and list it in the new region.</p>,
        label: "Move",
        choose: (region, onChoose) => (
          <RegionSelect label="New region" without={lead.region} value={region} onChange={onChoose} />
        ),
      },
    }),
  };
}

/** Shows what an admin can do with a lead. Renders nothing for a lead that is over. */
export function AdminLeadActions({ lead }: { lead: AdminLead }) {
  const actions = actionsOf(lead);
  return Object.values(actions).some(({ when }) => when) && <RowActions list="leads" actions={actions} />;
}
