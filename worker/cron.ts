import { sweepWithdrawals } from "./customer/request/commands.ts";
import { putOnMarket } from "./customer/rescue/store.ts";
import { sweepAttention } from "./operations/attention/store.ts";
import { sweepChecks } from "./identity/checks/sweep.ts";
import { sweepAccess } from "./identity/auth/sweep.ts";
import { sweepClaims } from "./selling/purchases/credit-commands.ts";
import { sweepSockets } from "./live/closing-commands.ts";
import { type Context, contextOf } from "./platform/context.ts";
import type { Bindings } from "./platform/env.ts";
import { sweepRequestErasures } from "./operations/erasure/request-commands.ts";
import { sweepRetention } from "./operations/erasure/commands.ts";
import { sweepPauses } from "./exchange/commands.ts";
import { sweepPending } from "./leads/commands.ts";
import { sweepChanges } from "./customer/changes/commands.ts";
import { log, withRequestId } from "./platform/log.ts";
import { sweepMarketFigures } from "./operations/market-figures/commands.ts";
import { deliver, sweepMessages } from "./messages/deliver-commands.ts";
import { runOperatorJobs, scheduleNightly } from "./operations/operator/commands.ts";
import { sweepLostLeads } from "./operations/reconciliation/lost-lead-store.ts";
import { sweepGuarantee } from "./pipeline/guarantee/commands.ts";
import { sweepCallClocks } from "./customer/calls/store.ts";
import { sweepReviews } from "./pipeline/reviews/commands.ts";
import { sweepExpiringCards, sweepPayments } from "./selling/payments/sweep.ts";
import { sweepPhotos } from "./leads/photos/commands.ts";
import { sweepScreening } from "./leads/quarantine/commands.ts";

type Sweep = (context: Context, now: number) => Promise<Record<string, number>>;

/** The sweeps of the every-minute cron, by their event name in the log. Each sweep returns counts for the log. */
export const SWEEPS = {
  pause_sweep: sweepPauses,
  sweep: (context, now) => sweepPending(context, now, putOnMarket),
  withdrawal_sweep: sweepWithdrawals,
  change_sweep: sweepChanges,
  request_erasure_sweep: sweepRequestErasures,
  call_clock_sweep: sweepCallClocks,
  check_sweep: sweepChecks,
  // After the sweeps that may open cases.
  guarantee_sweep: sweepGuarantee,
  review_sweep: sweepReviews,
  // After the sweeps above, so that their messages are sent in the same minute.
  message_sweep: sweepMessages,
  payment_sweep: sweepPayments,
  card_sweep: sweepExpiringCards,
  claim_sweep: sweepClaims,
  // Before `operator_jobs`, so that nightly jobs start in the same minute.
  lost_leads_sweep: sweepLostLeads,
  nightly: scheduleNightly,
  operator_jobs: runOperatorJobs,
  retention: sweepRetention,
  // After the erasures, so that their photos are deleted in the same minute.
  photo_sweep: sweepPhotos,
  access_sweep: sweepAccess,
  socket_sweep: sweepSockets,
  screening_sweep: sweepScreening,
  figure_sweep: sweepMarketFigures,
  // Last, so that admins are notified of all sweeps' findings in the same minute.
  attention_sweep: (context, now) => sweepAttention(context, now, deliver),
} satisfies Readonly<Record<string, Sweep>>;

async function runSweep(event: string, sweep: Sweep, context: Context, now: number): Promise<void> {
  try {
    const counts = await sweep(context, now);
    if (Object.values(counts).some((count) => count > 0)) log(counts.failed ? "warn" : "info", event, counts);
  } catch (error) {
    log("error", `${event}_failed`, { error });
  }
}

/** Runs every minute and finishes work that a crash or outage interrupted. A failed sweep does not stop the others. */
export function runSweeps(bindings: Bindings, now: number): Promise<void> {
  return withRequestId(`cron_${crypto.randomUUID()}`, async () => {
    const context = contextOf(bindings);
    for (const [event, sweep] of Object.entries(SWEEPS)) await runSweep(event, sweep, context, now);
  });
}
