import { serviceName } from "../../contract/catalogue.ts";
import { STAGES } from "../../contract/stages.ts";
import type { PurchasedLead } from "./purchases.ts";

export function JobLine({ purchase }: { purchase: PurchasedLead }) {
  const { serviceType, suburbName, suburbPostcode } = purchase;
  return (
    <>
      {serviceType.map(serviceName).join(" + ")}
      {suburbName && (
        <>
          {" in "}
          <span className="row__suburb">
            {suburbName} {suburbPostcode}
          </span>
        </>
      )}
    </>
  );
}

export function formatClosedState(purchase: PurchasedLead): string {
  return purchase.finalisedAt === null ? `${STAGES[purchase.salesStage].label}, archived` : "Closed";
}
