import { isRegion } from "../../contract/regions.ts";
import { type Bindings, NEAR_SYDNEY } from "../platform/env.ts";
import type { ExchangeObject } from "./object.ts";

/** Returns the stub of a region's exchange; null for an unknown region. */
export function exchangeOf(
  context: Pick<Bindings, "LEAD_EXCHANGE">,
  region: string,
): DurableObjectStub<ExchangeObject> | null {
  if (!isRegion(region)) return null;
  const namespace = context.LEAD_EXCHANGE as DurableObjectNamespace<ExchangeObject>;
  return namespace.get(namespace.idFromName(region), NEAR_SYDNEY);
}
