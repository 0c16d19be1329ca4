import { PipelineList } from "./lead-list.tsx";
import { PipelineLeadRow } from "./lead-row.tsx";
import { SOON_DAYS, type usePlan } from "./plan.ts";

const SOON_SHOWN = 25;

/** Shows due calls, and next actions due today or soon, in all stages. */
export function TodayList({
  plan: { due, soon },
  openId,
  hrefOf,
}: {
  plan: ReturnType<typeof usePlan>;
  openId: string | null;
  hrefOf: (id: string) => string;
}) {
  return (
    <div className="today">
      <h3 className="today__head">To do now</h3>
      {due.length === 0 ? (
        <p className="empty">Nothing due today. Add a next action to a lead and it'll show up here.</p>
      ) : (
        <PipelineList purchases={due} openId={openId} hrefOf={hrefOf} canMove={false} />
      )}
      {soon.length > 0 && (
        <>
          <h3 className="today__head">The next {SOON_DAYS} days</h3>
          <ul className="box rows rows--short">
            {soon.slice(0, SOON_SHOWN).map((purchase) => (
              <li key={purchase.id}>
                <PipelineLeadRow
                  purchase={purchase}
                  href={hrefOf(purchase.id)}
                  isOpen={purchase.id === openId}
                  canMove={false}
                />
              </li>
            ))}
          </ul>
          {soon.length > SOON_SHOWN && (
            <p className="muted text-sm today__more">and {soon.length - SOON_SHOWN} more</p>
          )}
        </>
      )}
    </div>
  );
}
