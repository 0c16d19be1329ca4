import { useState } from "react";

import type { AdminLead } from "../../contract/admin-leads.ts";
import { CORRECTION_HOURS } from "../../contract/guarantee.ts";
import { isolate } from "../../contract/names.ts";
import type { ProviderListItem } from "../../contract/providers.ts";
import { type Region, regionName } from "../../contract/regions.ts";
import { unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";
import { Button } from "../ui/button.tsx";
import { ConfirmActionDialog } from "./confirm-action-dialog.tsx";
import { AssignLeadDialog } from "./assign-lead-dialog.tsx";
import { ClaimLeadDialog } from "./claim-lead-dialog.tsx";
import { isForSale } from "./lead-state.ts";
import { shownName } from "./providers.ts";
import { RegionSelect } from "./region-select.tsx";
import { useAdminAction } from "./use-admin-action.ts";

type Asked = "number" | "claim" | "assign" | "withdraw" | "move" | "drop" | null;

export function AdminLeadActions({ lead }: { lead: AdminLead }) {
  const [asked, setAsked] = useState<Asked>(null);
  const close = () => setAsked(null);
  if (lead.listingState === "quarantined") {
    return (
      <div className="list__acts">
        <ReleaseButton lead={lead} />
        <Button variant="quiet" onClick={() => setAsked("drop")}>
          Drop
        </Button>
        {asked && <DropDialog lead={lead} onClose={close} />}
      </div>
    );
  }
  if (lead.status === "sold" && lead.source !== "manual") {
    return (
      <div className="list__acts">
        <Button variant="quiet" onClick={() => setAsked("number")}>
          Wrong number
          <span className="visually-hidden">
            {" "}
            on the request of <bdi>{lead.customerName}</bdi>
          </span>
        </Button>
        {asked === "number" && <WrongNumberDialog lead={lead} onClose={close} />}
      </div>
    );
  }
  if (!isForSale(lead)) return null;
  return (
    <div className="list__acts">
      {lead.listingState === "listed" && (
        <>
          <Button variant="quiet" onClick={() => setAsked("claim")}>
            Claim
            <span className="visually-hidden">
              {" "}
              the request of <bdi>{lead.customerName}</bdi>
            </span>
          </Button>
          <Button variant="quiet" onClick={() => setAsked("assign")}>
            Assign
          </Button>
        </>
      )}
      <Button variant="quiet" onClick={() => setAsked("withdraw")}>
        Withdraw
      </Button>
      <Button variant="quiet" onClick={() => setAsked("move")}>
        Move
      </Button>
      {asked === "claim" && <ClaimDialog lead={lead} onClose={close} />}
      {asked === "assign" && <AssignDialog lead={lead} onClose={close} />}
      {asked === "withdraw" && <WithdrawDialog lead={lead} onClose={close} />}
      {asked === "move" && <MoveDialog lead={lead} onClose={close} />}
    </div>
  );
}

function ReleaseButton({ lead }: { lead: AdminLead }) {
  const release = useAdminAction({
    list: "leads",
    act: ({ id, redactedAt }: AdminLead) =>
      unwrap(
        browserApi().api["super-admin"].leads[":id"].release.$post({ param: { id }, json: { redactedAt } }),
      ),
    getDoneMessage: () => ({ title: "Lead released", description: "It'll be on the market shortly." }),
    failed: "Failed to release lead",
  });
  return (
    <Button isBusy={release.isPending} onClick={() => release.mutate(lead)}>
      Release
      <span className="visually-hidden">
        {" "}
        the request of <bdi>{lead.customerName}</bdi>
      </span>
    </Button>
  );
}

/** Claims a lead for the admin's own business, free of charge. */
function ClaimDialog({ lead, onClose }: DialogProps) {
  const claim = useAdminAction({
    list: "leads",
    act: (id: string) =>
      unwrap(browserApi().api["super-admin"]["claim-lead"][":id"].$post({ param: { id } })),
    getDoneMessage: () => ({ title: "Lead Claimed", description: "It's in your pipeline, free of charge." }),
    failed: "Failed to Claim Lead",
    onDone: onClose,
  });
  return (
    <ClaimLeadDialog
      lead={lead}
      isBusy={claim.isPending}
      onClaim={() => claim.mutate(lead.id)}
      onClose={onClose}
    />
  );
}

function AssignDialog({ lead, onClose }: DialogProps) {
  const assign = useAdminAction({
    list: "leads",
    act: ({ id: providerId }: ProviderListItem) =>
      unwrap(
        browserApi().api["super-admin"]["assign-lead"][":leadId"][":providerId"].$post({
          param: { leadId: lead.id, providerId },
        }),
      ),
    getDoneMessage: (provider) => ({
      title: "Lead Assigned",
      description: `${isolate(lead.customerName)} is in the pipeline of ${isolate(shownName(provider))}.`,
    }),
    failed: "Failed to Assign Lead",
    onDone: onClose,
  });
  return (
    <AssignLeadDialog lead={lead} isBusy={assign.isPending} onAssign={assign.mutate} onClose={onClose} />
  );
}

type DialogProps = { lead: AdminLead; onClose: () => void };

function DropDialog({ lead, onClose }: DialogProps) {
  const drop = useAdminAction({
    list: "leads",
    act: (reason: string) =>
      unwrap(
        browserApi().api["super-admin"].leads[":id"].drop.$post({
          param: { id: lead.id },
          json: { reason: reason || null },
        }),
      ),
    getDoneMessage: () => ({ title: "Lead dropped", description: "It stays on file and won't be sold." }),
    failed: "Failed to drop lead",
    onDone: onClose,
  });
  return (
    <ConfirmActionDialog
      title="Drop this request?"
      reason={{ label: "Why", required: false }}
      actionLabel="Drop"
      isIrreversible
      isBusy={drop.isPending}
      onConfirm={drop.mutate}
      onClose={onClose}
    >
      <p>
        Providers will never see <bdi>{lead.customerName}</bdi>'s request. You can't undo this.
      </p>
    </ConfirmActionDialog>
  );
}

function WrongNumberDialog({ lead, onClose }: DialogProps) {
  const report = useAdminAction({
    list: "leads",
    act: (id: string) =>
      unwrap(browserApi().api["super-admin"].leads[":id"]["wrong-number"].$post({ param: { id } })),
    getDoneMessage: () => ({ title: "Marked as a wrong number", description: "The buyer can see it." }),
    failed: "Failed to mark the number",
    onDone: onClose,
  });
  return (
    <ConfirmActionDialog
      title="Is the number wrong?"
      actionLabel="The number is wrong"
      isBusy={report.isPending}
      onConfirm={() => report.mutate(lead.id)}
      onClose={onClose}
    >
      <p>
        The buyer sees that <bdi>{lead.customerName}</bdi>'s number is wrong. If it isn't corrected within{" "}
        {CORRECTION_HOURS} hours, or by the end of their time to call if that's later, they get a free claim.
        If they're over their limit, you decide.
      </p>
    </ConfirmActionDialog>
  );
}

function WithdrawDialog({ lead, onClose }: DialogProps) {
  const withdraw = useAdminAction({
    list: "leads",
    act: (reason: string) =>
      unwrap(
        browserApi().api["super-admin"].leads[":id"].withdraw.$post({
          param: { id: lead.id },
          json: { reason },
        }),
      ),
    getDoneMessage: () => ({ title: "Lead withdrawn", description: "Providers can't see it any more." }),
    failed: "Failed to withdraw lead",
    onDone: onClose,
  });
  return (
    <ConfirmActionDialog
      title="Withdraw this lead?"
      reason={{ label: "Why", required: true }}
      actionLabel="Withdraw"
      isIrreversible
      isBusy={withdraw.isPending}
      onConfirm={withdraw.mutate}
      onClose={onClose}
    >
      <p>
        This takes <bdi>{lead.customerName}</bdi>'s lead off the market for good. If someone is paying for it
        right now, try again once they've finished.
      </p>
    </ConfirmActionDialog>
  );
}

function MoveDialog({ lead, onClose }: DialogProps) {
  const [region, setRegion] = useState<Region | null>(null);
  const move = useAdminAction({
    list: "leads",
    act: (target: Region) =>
      unwrap(
        browserApi().api["super-admin"].leads[":id"].move.$post({
          param: { id: lead.id },
          json: { region: target },
        }),
      ),
    getDoneMessage: (target) => ({
      title: "Lead moved",
      description: `It's now for sale in ${regionName(target)}.`,
    }),
    failed: "Failed to move lead",
    onDone: onClose,
  });
  return (
    <ConfirmActionDialog
      title="Move this lead"
      actionLabel="Move"
      isBusy={move.isPending}
      canAct={region !== null}
      onConfirm={() => region && move.mutate(region)}
      onClose={onClose}
    >
      <p>We'll withdraw it from {regionName(lead.region)} and list it in the new region.</p>
      <RegionSelect label="New region" without={lead.region} value={region} onChange={setRegion} />
    </ConfirmActionDialog>
  );
}
