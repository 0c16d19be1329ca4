/** Photos of the demo: drawn gardens, stored as the product stores an upload. */
import { eq } from "drizzle-orm";

import type { PhotoOwner } from "../worker/leads/photos/commands.ts";
import type { Db } from "../worker/platform/db/client.ts";
import { photos } from "../worker/tables.ts";
import { drawGarden, drawLogo } from "./demo-drawings.ts";

/** A database, and how to store a drawing in it as an uploaded photo. */
export type PhotoStore = {
  db: Db;
  addDrawing: (owner: PhotoOwner, svg: string, now: number) => Promise<unknown>;
};

export type SalePhotos = {
  /** The garden in the two photos that came with the request. */
  requestGarden?: number;
  /** The garden in the photos before and after the work, and who agreed to show them. */
  workGarden?: number;
  isOffered?: boolean;
  isAgreed?: boolean;
};

/** Adds the photos that a customer sent with a request. */
export async function addRequestPhotos(
  store: PhotoStore,
  leadId: string,
  garden: number,
  now: number,
): Promise<void> {
  for (const [i, seed] of [garden, garden + 3].entries())
    await store.addDrawing({ kind: "request", leadId }, drawGarden(seed, false), now + i);
}

/** Adds the photos of a sale. */
export async function addSalePhotos(
  store: PhotoStore,
  { leadId, purchaseId, businessId }: { leadId: string; purchaseId: string; businessId: string },
  { requestGarden, workGarden, isOffered, isAgreed }: SalePhotos,
  { requestedAt, doneAt }: { requestedAt: number; doneAt: number },
): Promise<void> {
  if (requestGarden !== undefined) await addRequestPhotos(store, leadId, requestGarden, requestedAt);
  if (workGarden === undefined) return;
  for (const kind of ["before", "after"] as const) {
    const owner = { kind, purchaseId, businessId };
    await store.addDrawing(owner, drawGarden(workGarden, kind === "after"), doneAt);
  }
  await store.db
    .update(photos)
    .set({
      providerAgreedAt: isOffered ? doneAt : null,
      customerAgreedAt: isAgreed ? doneAt : null,
    })
    .where(eq(photos.purchaseId, purchaseId));
}

/** Adds a business's logo and photos of its work. */
export async function addOwnPhotos(
  store: PhotoStore,
  businessId: string,
  { logo, gardens }: { logo: Parameters<typeof drawLogo>[0]; gardens: readonly number[] },
  now: number,
): Promise<void> {
  await store.addDrawing({ kind: "logo", businessId }, drawLogo(logo), now);
  for (const [i, garden] of gardens.entries())
    await store.addDrawing({ kind: "work", businessId }, drawGarden(garden, true), now + i);
}
