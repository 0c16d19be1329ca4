import { data, redirect, type RouterContextProvider } from "react-router";

import type { CurrentUser } from "../../contract/auth.ts";
import { PAGE_LIST, pathsOf } from "../../contract/visitor-pages.ts";
import { worksForBusiness } from "../lib/home-path.ts";
import { ApiError, unwrap } from "../lib/api.ts";
import { CLEAR_FLASH, readFlash } from "../lib/flash.ts";
import { apiContext, requestContext } from "../lib/server-context.ts";

type LoaderArguments = { request: Request; context: Readonly<RouterContextProvider> };

/** Pages that open no matter who is signed in. All others redirect providers to the dashboard. */
const OPEN_PAGES = PAGE_LIST.filter(({ audience }) => audience !== "visitors").map(({ pattern }) =>
  pathsOf(pattern, "[^/]+"),
);

/** Returns the signed-in user, or null. */
export async function fetchVisitorUser(
  context: Readonly<RouterContextProvider>,
): Promise<CurrentUser | null> {
  if (!context.get(requestContext).isSignedIn) return null;
  try {
    return await unwrap(context.get(apiContext).api.auth.me.$get());
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null;
    throw error;
  }
}

/**
 * Loads the data for every document: the signed-in user, the contact details, and a message from the previous page.
 * @throws a redirect to /dashboard for providers and team members, except on pages open to them
 */
export async function loadVisitor({ request, context }: LoaderArguments) {
  const user = await fetchVisitorUser(context);
  const { pathname } = new URL(request.url);
  const isOpen = OPEN_PAGES.some((paths) => paths.test(pathname));
  if (user && worksForBusiness(user) && !isOpen) throw redirect("/dashboard");
  const { contactPhone, contactEmail, legalEntity } = context.get(requestContext);
  const flash = readFlash(request.headers.get("Cookie"));
  return data(
    { user: user && shownUser(user), contactPhone, contactEmail, legalEntity, flash },
    flash ? { headers: { "Set-Cookie": CLEAR_FLASH } } : undefined,
  );
}

function shownUser(user: CurrentUser) {
  const isProvider = user.userType === "provider";
  return {
    name: `${user.firstName} ${user.lastName}`,
    role: isProvider ? "Service Provider" : "Customer",
    isProvider,
  };
}

/** The signed-in user's details in the header. */
export type HeaderUser = ReturnType<typeof shownUser>;
