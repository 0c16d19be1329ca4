import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link } from "react-router";

import { serviceName } from "../../contract/catalogue.ts";
import type { ProviderPage as Page } from "../../contract/providers.ts";
import { regionName } from "../../contract/regions.ts";
import { type FigureTile, FigureTiles } from "../charts/figure-tiles.tsx";
import { LoadFailure } from "../leads/load-failure.tsx";
import { unwrap } from "../lib/api.ts";
import { adminApi } from "../lib/browser-api.ts";
import { formatCount } from "../lib/format-count.ts";
import { formatMoney } from "../lib/format-money.ts";
import { formatDate, formatDateTime } from "../lib/format-time.ts";
import { PhoneNumber } from "../ui/phone-number.tsx";
import { Badge } from "../ui/badge.tsx";
import type { Route } from "./+types/provider-page.ts";
import { StandingFigures } from "../standing/standing.tsx";
import { AccountBadges } from "./account-badges.tsx";
import { getAdminPath } from "./id-link.tsx";
import { ProviderChecks } from "./provider-checks.tsx";
import { ProviderActions } from "./provider-actions.tsx";
import { ProviderLog, ProviderPayments, ProviderPurchases } from "./provider-lists.tsx";
import { ProviderNotes } from "./provider-notes.tsx";
import { ProviderPublicPage } from "./provider-profile.tsx";
import { providerName, shownName } from "./providers.ts";

export function meta() {
  return [{ title: "Provider | Naturestrip admin" }, { name: "robots", content: "noindex" }];
}

export default function ProviderPage({ params: { id } }: Route.ComponentProps) {
  const { data, error, refetch } = useQuery({
    queryKey: ["admin", "provider", id],
    queryFn: () => unwrap(adminApi().providers[":id"].$get({ param: { id } })),
    staleTime: 0,
  });
  return (
    <>
      <p>
        <Link to="/admin/providers">All providers</Link>
      </p>
      {data ? (
        <Business key={data.provider.id} page={data} />
      ) : error ? (
        <LoadFailure error={error} retry={refetch} />
      ) : (
        <p className="empty">Loading this provider...</p>
      )}
    </>
  );
}

function Business({ page }: { page: Page }) {
  const { provider } = page;
  return (
    <>
      <header className="spread">
        <h1>{shownName(provider)}</h1>
        <AccountBadges provider={provider} />
      </header>
      <ProviderActions provider={provider} />
      <Tiles page={page} />
      <Facts page={page} />
      <ProviderChecks page={page} />
      <Calls page={page} />
      <ProviderPublicPage page={page} />
      <ProviderNotes page={page} />
      <ProviderPurchases id={provider.id} />
      <ProviderPayments id={provider.id} />
      <div className="halves">
        <Team page={page} />
        <Presence page={page} />
      </div>
      <ProviderLog id={provider.id} />
    </>
  );
}

function Tiles({ page }: { page: Page }) {
  const { year, leads, badLeads, freeClaims, lastSeenAt, payingSince } = page;
  const answered = badLeads.granted + badLeads.refused;
  const tiles: readonly FigureTile[] = [
    ["Bought", formatCount(year.bought), `in the last 12 months; ${formatCount(leads)} in all`],
    [
      "Paid",
      formatMoney(year.paid),
      payingSince === null ? "no card yet" : `by card since ${formatDate(payingSince)}`,
    ],
    ["Refunded", formatMoney(year.refunded), "in the last 12 months"],
    ["Won", formatCount(year.won), `earned ${formatMoney(year.earned)}`],
    [
      "Open bad-lead reports",
      formatCount(badLeads.open),
      `${badLeads.granted} of ${answered} accepted; ${freeClaims} free claims left`,
    ],
    [
      "Last seen",
      lastSeenAt === null ? "–" : formatDate(lastSeenAt),
      lastSeenAt === null ? "not in the last 90 days" : formatDateTime(lastSeenAt),
    ],
  ];
  return <FigureTiles tiles={tiles} />;
}

/** Shows how many customers the provider called in time. */
function Calls({ page: { provider, standing } }: { page: Page }) {
  const { id } = provider;
  return (
    <section className="part" aria-labelledby="provider-calls">
      <h2 id="provider-calls">Calling customers</h2>
      {standing.isLow && (
        <p>
          <Badge tone="hot">Low</Badge> The provider sees a warning on their figures page.
          {standing.rule === "no_rescue_offers" &&
            " They get no offers of leads that were passed on from another provider."}
        </p>
      )}
      <StandingFigures
        standing={standing}
        businessId={id}
        caption="Bought leads by call result"
        hrefOf={(call) => getAdminPath(call.leadId)!}
        fetchCalls={(query) => adminApi().providers[":id"].calls.$get({ param: { id }, query })}
      />
    </section>
  );
}

function Facts({ page }: { page: Page }) {
  const { provider } = page;
  const email = provider.email ? <a href={`mailto:${provider.email}`}>{provider.email}</a> : null;
  const phone = provider.phone ? <PhoneNumber typed={provider.phone} /> : null;
  const facts: readonly (readonly [name: string, value: ReactNode])[] = [
    ["Name", providerName(provider)],
    ["Username", provider.username],
    ["Email", email],
    ["Phone", phone],
    ["Address", page.businessAddress],
    ["ABN", provider.abn],
    ["Licence", page.licenseNumber],
    ["Insurance", page.insuranceDetails],
    ["Service areas", page.serviceAreas],
    ["Services", page.services.length === 0 ? "All" : page.services.map(serviceName).join(", ")],
    ["Watched regions", page.watchedRegions.map(regionName).join(", ")],
    ["Joined", formatDate(provider.createdAt)],
  ];
  return (
    <section aria-label="Account">
      <dl className="box provider-page__facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value || "–"}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Team({ page: { team } }: { page: Page }) {
  return (
    <section className="part" aria-labelledby="provider-team">
      <h2 id="provider-team">Team</h2>
      {team.length === 0 && <p className="muted">Only the owner.</p>}
      {team.length > 0 && (
        <ul className="ruled">
          {team.map(({ id, name, email, lastSeenAt }) => (
            <li key={id}>
              <div>
                <span className="list__main">{name}</span>
                <span className="list__sub">{email}</span>
              </div>
              <span className="list__sub">
                {lastSeenAt === null ? "Not seen in the last 90 days" : `Seen ${formatDateTime(lastSeenAt)}`}
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Presence({ page: { sessions, signIns } }: { page: Page }) {
  return (
    <section className="part" aria-labelledby="provider-sessions">
      <h2 id="provider-sessions">Signed in</h2>
      {sessions.length === 0 && <p className="muted">Not signed in right now.</p>}
      {sessions.length > 0 && (
        <ul className="ruled">
          {sessions.map((session) => (
            <li key={session.id}>
              <div>
                <span className="list__main">
                  {session.isSupport ? "An admin, on their behalf" : session.device}
                </span>
                <span className="list__sub">
                  Since {formatDateTime(session.createdAt)}, last used {formatDate(session.lastSeenAt)}
                </span>
              </div>
            </li>
          ))}
        </ul>
      )}
      {signIns.length > 0 && (
        <details>
          <summary>The last {formatCount(signIns.length)} sign-ins</summary>
          <ul className="ruled">
            {signIns.map(({ id, at, device, succeeded }) => (
              <li key={id}>
                <div>
                  {device} {!succeeded && <Badge tone="warm">Failed</Badge>}
                </div>
                <span className="list__sub">{formatDateTime(at)}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}
