/** Actions of admins, operators and Stripe dashboard users in a running market. */
import type { Actors, SimulatedLead } from "./actors.ts";
import { isPaused } from "./facts.ts";
import { addErasure, addJob, customerOf, type Person, REGIONS } from "./population.ts";
import type { Random } from "./random.ts";
import { SMS_WEBHOOK } from "./senders.ts";
import type { Reply } from "./world.ts";

const SECOND_MS = 1_000;

function isSuccess(reply: Reply): boolean {
  return reply !== null && reply.status < 300;
}

/** An admin claims a lead, or assigns it to a business. */
export async function assignLead(cast: Actors, lead: SimulatedLead, to: Person): Promise<void> {
  const { admin } = cast;
  const path =
    to === admin
      ? `/api/super-admin/claim-lead/${lead.id}`
      : `/api/super-admin/assign-lead/${lead.id}/${to.userId}`;
  const reply = await cast.call(admin, "POST", path);
  cast.recordFeature("giving", reply?.status === 201);
  if (reply?.status === 201) cast.confirmedSales.push({ leadId: lead.id, businessId: to.businessId });
}

/** A business claims a lead with a free claim. */
export async function claimWithFreeClaim(cast: Actors, lead: SimulatedLead, person: Person): Promise<void> {
  const reply = await cast.call(person, "POST", `/api/leads/${lead.id}/claim-with-credit`);
  cast.recordFeature("free_claims", reply?.status === 201);
  if (reply?.status === 201) cast.confirmedSales.push({ leadId: lead.id, businessId: person.businessId });
}

export async function withdrawLead(cast: Actors, lead: SimulatedLead): Promise<void> {
  const reply = await cast.call(cast.admin, "POST", `/api/super-admin/leads/${lead.id}/withdraw`, {
    body: { reason: "Asked twice" },
  });
  cast.recordFeature("withdrawals", isSuccess(reply));
}

export async function move(cast: Actors, lead: SimulatedLead, random: Random): Promise<void> {
  const region = random.pick([REGIONS[1], REGIONS[1], REGIONS[0]]);
  const reply = await cast.call(cast.admin, "POST", `/api/super-admin/leads/${lead.id}/move`, {
    body: { region },
  });
  cast.recordFeature("moves", isSuccess(reply));
}

/** Deactivates a business, and usually reactivates it later. */
export async function deactivate(cast: Actors, person: Person, random: Random): Promise<void> {
  const { world, admin } = cast;
  const path = `/api/super-admin/providers/${person.userId}`;
  const reply = await cast.call(admin, "PATCH", path, { body: { isActive: false } });
  cast.recordFeature("deactivations", reply?.status === 200);
  if (reply?.status === 200) cast.inactive.set(person.businessId, world.scheduler.now);
  if (random.chance(0.4)) return;
  await world.wait(random.between(1, 300) * 1000);
  cast.inactive.delete(person.businessId);
  await cast.call(admin, "PATCH", path, { body: { isActive: true } });
}

/** Removes a lead's purchase as an admin. The buyer may request the removed purchase afterwards. */
export async function removePurchase(cast: Actors, lead: SimulatedLead): Promise<void> {
  const { world, admin } = cast;
  const rows = world.d1.statements.rows(
    "SELECT id FROM lead_purchases WHERE lead_id = ? AND removed_at IS NULL",
    [lead.id],
  ) as { id: string }[];
  if (!rows[0]) return;
  const reply = await cast.call(admin, "DELETE", `/api/lead-purchases/${rows[0].id}`);
  cast.recordFeature("removals", reply?.status === 204);
  if (reply?.status === 204) cast.removed.push({ leadId: lead.id, at: world.scheduler.now });
}

/** Pauses a region and reopens it, as an operator's job does. */
export async function pause(cast: Actors, random: Random): Promise<void> {
  const { world } = cast;
  const region = random.pick(REGIONS);
  const job = (kind: string, input: object) => {
    world.story.logStep(() => `an operator asks for ${kind} ${JSON.stringify(input)}`);
    addJob(world.d1.statements, world.scheduler.now, { id: `job_${world.ids.uuid()}`, kind, input });
  };
  job("region", { region, pause: "Flood" });
  await world.sweep();
  cast.recordFeature("pauses", isPaused(world, region));
  await world.wait(random.between(10, 400) * 1000);
  job("region", { region, pause: null });
  await world.sweep();
}

/** Enqueues an erasure as an operator; the cron runs it. */
export async function erase(cast: Actors, lead: SimulatedLead): Promise<void> {
  const { world } = cast;
  const { phone } = customerOf(lead.n);
  world.story.logStep(() => `an operator asks for the customer of ${lead.id} to be erased`);
  addErasure(world.d1.statements, world.scheduler.now, `job_${world.ids.uuid()}`, phone);
  await world.sweep();
}

/** A customer answers a text with STOP, or an admin notes that a customer wants no emails. */
export async function optOut(cast: Actors, { n }: SimulatedLead): Promise<void> {
  const { world, admin } = cast;
  const { phone, email } = customerOf(n);
  const number = `61${phone.replaceAll(" ", "").slice(1)}`;
  const [recipient, reply] = cast.hasEmail(n)
    ? [
        email,
        await cast.call(admin, "PUT", "/api/super-admin/messages/stops", {
          body: { address: email, isStopped: true },
        }),
      ]
    : [
        `+${number}`,
        await world.call("the gateway", "POST", SMS_WEBHOOK, {
          body: { type: "inbound", sender: number, message: "STOP" },
        }),
      ];
  cast.recordFeature("opt_outs", reply?.status === 200);
  if (reply?.status === 200) world.senders.stopped.set(recipient, world.scheduler.now);
  // Without a response or after an error, D1 may have stored the opt-out or not.
  else if (!reply || reply.status >= 500) world.senders.stopped.set(recipient, Infinity);
}

/** Makes a change in Stripe's dashboard, or disputes a charge as the cardholder. */
export async function changeStripePayments(cast: Actors, random: Random): Promise<void> {
  const { world } = cast;
  const { book } = world.stripe;
  const paid = [...book.intents.values()].filter(({ latest_charge: charge }) => charge && !charge.refunded);
  if (paid.length === 0) return;
  const intent = random.pick(paid);
  if (cast.has("disputes") && random.chance(0.5)) {
    if (intent.latest_charge!.disputed || intent.latest_charge!.amount_refunded > 0) return;
    world.story.logStep(() => `the card's owner disputes ${intent.id}`);
    book.dispute(intent);
    cast.recordFeature("disputes", true);
    // Banks take weeks. Here a few hours are enough, because all other acts have finished by then.
    const minSeconds = random.chance(0.5) ? 0 : 200 * 60;
    await world.wait((minSeconds + random.between(10, 600)) * SECOND_MS);
    book.endDispute(intent, random.chance(0.5) ? "won" : "lost");
    return;
  }
  if (!cast.has("refunds_by_hand") || intent.latest_charge!.disputed) return;
  const left = book.refundable(intent);
  const amountCents = left > 1000 && random.chance(0.4) ? 1000 : left;
  world.story.logStep(() => `an operator pays back ${amountCents} cents of ${intent.id} by hand`);
  world.stripe.perhapsDelay(book.refund(intent, amountCents));
  cast.recordFeature("refunds_by_hand", true);
}
