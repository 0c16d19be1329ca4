import { useLocation } from "react-router";

import { Icon } from "../ui/icon.tsx";
import { Logo } from "./logo.tsx";
import { PhoneLink } from "./phone-link.tsx";
import { SERVICE_LIST } from "../services/services.ts";
import type { HeaderUser } from "./visitor.ts";

function ServiceLinks() {
  return (
    <ul>
      <li>
        <a href="/services">
          <Icon name="arrow" />
          All Services
        </a>
      </li>
      {SERVICE_LIST.map((service) => (
        <li key={service.href}>
          <a href={service.href}>
            <Icon name={service.icon} />
            {service.name}
          </a>
        </li>
      ))}
    </ul>
  );
}

function LogoutForm() {
  return (
    <form method="post" action="/logout">
      <button className="button button--quiet" type="submit">
        Logout
      </button>
    </form>
  );
}

function SignedInUser({ user }: { user: HeaderUser }) {
  return (
    <p className="who">
      <strong>{user.name}</strong>
      <span>{user.role}</span>
    </p>
  );
}

/** Links a provider to the dashboard, and a customer to their requests. */
function HomeLink({ user }: { user: HeaderUser }) {
  return user.isProvider ? <a href="/dashboard">Dashboard</a> : <a href="/my-requests">Your Requests</a>;
}

/** Shows all header links in a side panel on phones. */
function SideMenu({ user, phone, quote }: { user: HeaderUser | null; phone: string; quote: string }) {
  return (
    <div id="side-menu" popover="auto" className="side-menu">
      <button
        className="icon-button"
        type="button"
        popoverTarget="side-menu"
        popoverTargetAction="hide"
        aria-label="Close menu"
      >
        <Icon name="close" />
      </button>
      <nav aria-label="Menu">
        {user && <SignedInUser user={user} />}
        {user && <HomeLink user={user} />}
        <a href="/locations">Find Locations</a>
        <p className="side-menu__title">Services</p>
        <ServiceLinks />
        <PhoneLink phone={phone} className="button button--quiet" />
        <a className="button button--main" href={quote}>
          Free Quote
        </a>
        {user ? <LogoutForm /> : <a href="/login">Provider Sign In</a>}
      </nav>
    </div>
  );
}

/** Returns the link to the quote form. A service page's link preselects its service. */
function useQuoteLink(): string {
  const { pathname } = useLocation();
  const service = SERVICE_LIST.find(({ href }) => href === pathname);
  return service ? `/get-quote?service=${service.id}` : "/get-quote";
}

/** Shows the header of every document. Its menus are native popovers, so they open before any script has run. */
export function SiteHeader({ user, phone }: { user: HeaderUser | null; phone: string }) {
  const quote = useQuoteLink();
  return (
    <header className="header">
      <div className="wrap header__row">
        <Logo />
        <nav className="header__nav" aria-label="Main">
          <button type="button" popoverTarget="services-menu">
            Services
            <Icon name="chevron" size={16} />
          </button>
          <a href="/locations">Find Locations</a>
          {user && <HomeLink user={user} />}
        </nav>
        <PhoneLink phone={phone} className="header__phone" />
        <PhoneLink phone={phone} className="icon-button header__call">
          Call
        </PhoneLink>
        <a className="button button--quiet header__quote" href={quote}>
          Free Quote
        </a>
        {user && (
          <button
            className="icon-button header__account"
            type="button"
            popoverTarget="account-menu"
            aria-label="Your account"
          >
            <Icon name="user" />
          </button>
        )}
        <button
          className="icon-button header__menu"
          type="button"
          popoverTarget="side-menu"
          aria-label="Open menu"
        >
          <Icon name="menu" />
        </button>
      </div>
      <nav id="services-menu" popover="auto" className="drop drop--services" aria-label="Services">
        <ServiceLinks />
      </nav>
      {user && (
        <div id="account-menu" popover="auto" className="drop drop--account">
          <SignedInUser user={user} />
          <LogoutForm />
        </div>
      )}
      <SideMenu user={user} phone={phone} quote={quote} />
    </header>
  );
}
