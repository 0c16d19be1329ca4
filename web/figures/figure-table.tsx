import type { Figures, MonthFigures } from "../../contract/figures.ts";
import { formatCount } from "../lib/format-count.ts";
import { formatMoney } from "../lib/format-money.ts";
import { formatMonth, formatRate } from "../charts/format-figures.ts";

function Cells({ figures }: { figures: Figures }) {
  return (
    <>
      <td>{formatCount(figures.bought)}</td>
      <td>{formatMoney(figures.spend)}</td>
      <td>{formatCount(figures.won)}</td>
      <td>{formatRate(figures.winRate)}</td>
      <td>{figures.costPerWon === null ? "–" : formatMoney(figures.costPerWon)}</td>
      <td>{formatMoney(figures.earned)}</td>
    </>
  );
}

/** Shows the same figures as a table, newest month first. */
export function FigureTable({ months, total }: { months: readonly MonthFigures[]; total: Figures }) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls sideways on a phone
    <section className="figures__table" aria-label="Figures by month" tabIndex={0}>
      <table>
        <caption>By month</caption>
        <thead>
          <tr>
            {["Month", "Bought", "Spend", "Won", "Win rate", "Cost per won job", "Earned"].map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {months.toReversed().map((month) => (
            <tr key={month.month}>
              <th scope="row">{formatMonth(month.month, true)}</th>
              <Cells figures={month} />
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">Twelve months</th>
            <Cells figures={total} />
          </tr>
        </tfoot>
      </table>
    </section>
  );
}
