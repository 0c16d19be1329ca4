import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { data } from "react-router";

import type { Figures, MonthFigures } from "../../contract/figures.ts";
import { AccessRequired } from "../auth/access-required.tsx";
import { Gate } from "../auth/gate.tsx";
import { fetchCurrentUser, useCurrentUser } from "../auth/current-user.ts";
import { formatCount } from "../lib/format-count.ts";
import { LoadFailure } from "../leads/load-failure.tsx";
import { type ApiClient, unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";
import { apiContext, requestContext } from "../lib/server-context.ts";
import { ViewNav } from "../dashboard/view-nav.tsx";
import type { Route } from "./+types/figures-page.ts";
import { FigureTiles } from "../charts/figure-tiles.tsx";
import { BarChart } from "../charts/bar-chart.tsx";
import { formatMonth, formatRate } from "../charts/format-figures.ts";
import { formatDollars, formatMoney } from "../lib/format-money.ts";
import { OwnStanding } from "../standing/own-standing.tsx";
import { FigureTable } from "./figure-table.tsx";

async function fetchFigures(api: ApiClient) {
  const [figures, standing] = await Promise.all([
    unwrap(api.api.figures.$get()),
    unwrap(api.api.figures.standing.$get()),
  ]);
  return { ...figures, standing };
}

export async function loader({ context }: Route.LoaderArgs) {
  const api = context.get(apiContext);
  const { contactEmail } = context.get(requestContext);
  const user = await fetchCurrentUser(api);
  if (user?.userType !== "provider")
    return data({ user, figures: null, contactEmail }, { status: user ? 403 : 401 });
  return data({ user, figures: await fetchFigures(api).catch(() => null), contactEmail });
}

/** Reloads the figures only for another path: the open list is in the URL and changes nothing on the server. */
export function shouldRevalidate({ currentUrl, nextUrl }: { currentUrl: URL; nextUrl: URL }) {
  return currentUrl.pathname !== nextUrl.pathname;
}

export function meta() {
  return [{ title: "Figures | Naturestrip" }, { name: "robots", content: "noindex" }];
}

/** Shows the cost and outcome of the last twelve months' leads. */
export default function FiguresPage({ loaderData }: Route.ComponentProps) {
  const user = useCurrentUser(loaderData.user);
  const {
    data: figures,
    error,
    refetch,
  } = useQuery({
    queryKey: ["figures"],
    queryFn: () => fetchFigures(browserApi()),
    initialData: loaderData.figures ?? undefined,
    // Always refetch, because sales and payments elsewhere change the figures.
    refetchOnMount: "always",
    enabled: user?.userType === "provider",
  });
  if (user?.userType === "team_member") {
    return (
      <Gate title="Figures are for the owner">
        Only the owner of your business can see what leads cost and what they brought in.
      </Gate>
    );
  }
  if (user?.userType !== "provider") return <AccessRequired isSignedIn={user !== null} />;
  return (
    <div className="figures">
      <header className="cluster head">
        <h1>Figures</h1>
      </header>
      <ViewNav current="figures" dueCount={null} />
      {figures ? (
        <FigureView total={figures.total} months={figures.months}>
          <OwnStanding standing={figures.standing} contactEmail={loaderData.contactEmail} />
        </FigureView>
      ) : (
        error && <LoadFailure error={error} retry={refetch} />
      )}
    </div>
  );
}

const monthName = ({ month }: MonthFigures, isLong: boolean) => formatMonth(month, isLong);

function FigureView({
  total,
  months,
  children,
}: {
  total: Figures;
  months: readonly MonthFigures[];
  /** Shown between the totals and the charts. */
  children: ReactNode;
}) {
  return (
    <>
      <FigureTiles
        tiles={[
          [
            "Spend",
            formatMoney(total.spend),
            `${formatCount(total.bought)} ${total.bought === 1 ? "lead" : "leads"} bought`,
          ],
          ["Leads won", formatCount(total.won), "reached Booked or later"],
          ["Win rate", formatRate(total.winRate), "of leads older than 14 days"],
          ["Earned", formatMoney(total.earned), "customer payments"],
          ["Cost per won job", total.costPerWon ? formatMoney(total.costPerWon) : "–", "spend per lead won"],
        ]}
      />
      <p className="muted text-sm figures__how">
        The last twelve months. Each month counts the leads you bought or added then, and how they&apos;ve
        gone since. Refunded leads are left out. Earned includes leads you added yourself.
      </p>
      {children}
      <div className="stack gap-4 figures__charts">
        <BarChart
          title="Spend and earned"
          chartPeriods={{ unit: "month", periods: months, nameOf: monthName }}
          series={[
            { name: "Spend", pattern: "first", value: ({ spend }) => Number(spend) },
            { name: "Earned", pattern: "second", value: ({ earned }) => Number(earned) },
          ]}
          format={formatDollars}
        />
        <BarChart
          title="Leads bought and won"
          chartPeriods={{ unit: "month", periods: months, nameOf: monthName }}
          series={[
            { name: "Bought", pattern: "first", value: ({ bought }) => bought },
            { name: "Won", pattern: "second", value: ({ won }) => won },
          ]}
          format={formatCount}
        />
        <BarChart
          title="Win rate"
          chartPeriods={{ unit: "month", periods: months, nameOf: monthName }}
          max={1}
          series={[{ name: "Win rate", pattern: "second", value: ({ winRate }) => winRate }]}
          format={(value) => formatRate(value)}
        />
        <BarChart
          title="Cost per won job"
          chartPeriods={{ unit: "month", periods: months, nameOf: monthName }}
          series={[
            {
              name: "Cost per won job",
              pattern: "first",
              value: ({ costPerWon }) => (costPerWon === null ? null : Number(costPerWon)),
            },
          ]}
          format={formatDollars}
        />
      </div>
      <FigureTable months={months} total={total} />
    </>
  );
}
