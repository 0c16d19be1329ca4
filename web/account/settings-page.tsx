import type { ReactNode } from "react";
import { redirect, useSearchParams } from "react-router";

import type { CurrentUser } from "../../contract/auth.ts";
import { fetchCurrentUser, useUser } from "../auth/current-user.ts";
import { NotImpersonating } from "../auth/not-impersonating.tsx";
import { ChecksTab } from "../checks/checks-tab.tsx";
import { type ApiClient, messageOf, unwrap } from "../lib/api.ts";
import { apiContext, requestContext } from "../lib/server-context.ts";
import { NotificationsTab } from "../notifications/notifications-tab.tsx";
import { PasskeysTab } from "../passkeys/passkeys-tab.tsx";
import { SavedCards } from "../payments/saved-cards.tsx";
import { PANEL_ID, Tabs } from "../ui/tabs.tsx";
import type { Route } from "./+types/settings-page.ts";
import type { BankState } from "./account.ts";
import { BankDetailsSection } from "./bank-details.tsx";
import { CloseAccount } from "./close-account.tsx";
import { PasswordForm } from "./password-form.tsx";
import { PersonalInfoSection } from "./personal-info-form.tsx";
import { Sessions } from "./sessions.tsx";
import { SignIns } from "./sign-ins.tsx";
import { TextTemplatesForm } from "./text-templates-form.tsx";
import { WorkAreas } from "./work-areas.tsx";

const TABS = [
  { id: "personal", label: "Personal Info", isForOwners: false },
  { id: "password", label: "Password", isForOwners: false },
  { id: "bank", label: "Bank Details", isForOwners: true },
  { id: "alerts", label: "Alerts", isForOwners: false },
  { id: "messages", label: "Messages", isForOwners: true },
] as const;
type TabId = (typeof TABS)[number]["id"];

async function readBankDetails({ api }: ApiClient, user: CurrentUser): Promise<BankState> {
  if (user.userType !== "provider") return null;
  try {
    return { details: await unwrap(api.user["bank-details"].$get()), problem: null };
  } catch (error) {
    return { details: null, problem: messageOf(error, "Your bank details didn't load.") };
  }
}

/** Reads a list for the page, so that nothing below the list moves later. If this fails, its tab loads the list itself. */
const orLater = <T,>(read: Promise<T>): Promise<T | undefined> => read.catch(() => undefined);

export async function loader({ context }: Route.LoaderArgs) {
  const client = context.get(apiContext);
  const user = await fetchCurrentUser(client);
  if (!user?.businessId) throw redirect("/login");
  // A user who must choose a password cannot open any other page.
  if (user.mustChangePassword) throw redirect("/choose-password");
  const { api } = client;
  const [info, sessions, bank, suggested, checks, passkeys] = await Promise.all([
    unwrap(api.user["personal-info"].$get()),
    unwrap(api.user.sessions.$get()),
    readBankDetails(client, user),
    orLater(unwrap(api.user["suggested-regions"].$get())),
    user.userType === "provider" ? orLater(unwrap(api.user.checks.$get())) : undefined,
    user.isImpersonating ? undefined : orLater(unwrap(api.passkeys.$get())),
  ]);
  const takesCards = context.get(requestContext).payments === "stripe";
  return { info, sessions, bank, suggested, checks, passkeys, takesCards };
}

/** Never revalidates when only the tab changes: the server's data is the same. */
export function shouldRevalidate({ currentUrl, nextUrl }: { currentUrl: URL; nextUrl: URL }) {
  return currentUrl.pathname !== nextUrl.pathname;
}

export function meta() {
  return [{ title: "Settings | Naturestrip" }, { name: "robots", content: "noindex" }];
}

export default function SettingsPage({ loaderData }: Route.ComponentProps) {
  const [params, setParams] = useSearchParams();
  const isOwner = useUser().userType === "provider";
  const tabs = TABS.filter(({ isForOwners }) => isOwner || !isForOwners);
  const current = tabs.find(({ id }) => id === params.get("tab")) ?? tabs[0]!;
  const choose = (id: string, how: "click" | "key") =>
    setParams(id === "personal" ? {} : { tab: id }, { replace: how === "key", preventScrollReset: true });
  return (
    <div className="settings">
      <header className="cluster head">
        <h1>Settings</h1>
      </header>
      <Tabs label="Settings" tabs={tabs} current={current.id} onChoose={choose} />
      <section
        role="tabpanel"
        id={PANEL_ID}
        aria-labelledby={`tab-${current.id}`}
        className="stack gap-4 settings__tab"
      >
        <h2 className="visually-hidden">{current.label}</h2>
        <TabContent tab={current.id} loaded={loaderData} />
      </section>
    </div>
  );
}

/** Shows one subject of a tab. @param id links lead here, such as /settings?tab=password#passkeys */
function Part({ id, title, children }: { id?: string; title?: string; children: ReactNode }) {
  return (
    <div className="stack gap-4 settings__panel" id={id}>
      {title && <h2 className="text-lg">{title}</h2>}
      {children}
    </div>
  );
}

function TabContent({ tab, loaded }: { tab: TabId; loaded: Route.ComponentProps["loaderData"] }) {
  const user = useUser();
  const isOwner = user.userType === "provider";
  switch (tab) {
    case "personal":
      return (
        <>
          <Part>
            <PersonalInfoSection initial={loaded.info} />
          </Part>
          <Part id="work" {...(isOwner && { title: "Regions and services" })}>
            <WorkAreas suggested={loaded.suggested} />
          </Part>
          {isOwner && (
            <Part id="checks" title="Checks">
              <ChecksTab initial={loaded.checks} />
            </Part>
          )}
          {isOwner && !user.isImpersonating && !user.isSuperAdmin && (
            <Part id="close" title="Close your account">
              <CloseAccount />
            </Part>
          )}
        </>
      );
    case "password":
      return (
        <>
          <Part>
            <PasswordForm />
          </Part>
          <Part id="passkeys" title="Passkeys">
            <PasskeysTab initial={loaded.passkeys} />
          </Part>
          <Part id="devices" title="Devices">
            <Sessions initial={loaded.sessions} />
          </Part>
          <Part title="Recent sign-ins">
            <SignIns />
          </Part>
        </>
      );
    case "bank":
      return (
        <>
          <Part>
            <NotImpersonating only="see its bank details">
              <BankDetailsSection initial={loaded.bank} />
            </NotImpersonating>
          </Part>
          {loaded.takesCards && (
            <Part id="cards" title="Cards">
              <SavedCards />
            </Part>
          )}
        </>
      );
    case "alerts":
      return (
        <Part>
          <NotificationsTab />
        </Part>
      );
    case "messages":
      return (
        <Part>
          <TextTemplatesForm />
        </Part>
      );
  }
}
