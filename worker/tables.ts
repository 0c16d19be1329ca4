/**
 * The whole data model, for drizzle-kit, scripts and tests. Product code imports a table from the file that defines it
 * (docs/decisions/0032). D1 is the source of truth for requests, people, purchases and pipelines. The region's exchange
 * is the source of truth for availability: `leads.status` is its projection, ordered by `exchange_version`. Stripe is
 * the source of truth for money, and `payments` is our ledger.
 *
 * Money is in integer cents and time in epoch milliseconds. Ids are prefixed text. No column has a CHECK with a list of
 * values: the contract's schemas and these types guard writes (docs/decisions/0008).
 */
export * from "./exchange/tables.ts";
export * from "./identity/tables.ts";
export * from "./leads/tables.ts";
export * from "./operations/tables.ts";
export * from "./pipeline/tables.ts";
export * from "./platform/db/leads.ts";
export * from "./platform/db/messages.ts";
export * from "./platform/db/payments.ts";
export * from "./platform/db/purchases.ts";
export * from "./platform/db/suburbs.ts";
export * from "./platform/db/users.ts";
export { mustHold } from "./platform/db/guarded-batch.ts";
