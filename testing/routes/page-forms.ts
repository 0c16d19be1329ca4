import { bookingRequest, quoteRequest } from "../world.ts";
import { bodyFor } from "./api.ts";

const visitor = () => {
  const { customerName, customerPhone, customerAddress } = quoteRequest();
  return { customerName, customerPhone, customerAddress, serviceNeed: "The whole yard, please." };
};

/** The fields of each page's form, by the page's route pattern. */
export const PAGE_FORMS: Readonly<Record<string, () => Record<string, unknown>>> = {
  "/login": () => bodyFor("POST /api/auth/login"),
  "/signup": () => bodyFor("POST /api/auth/provider/signup"),
  "/provider-signup": () => bodyFor("POST /api/auth/provider/signup"),
  "/forgot-password": () => ({ username: "unknown-user" }),
  "/my-requests": () => ({ email: "unknown@example.com" }),
  "/request/:token": () => ({ intent: "contact", contactMethod: "text", contactTime: "evening" }),
  "/provider/:slug": () => ({ reason: "other" }),
  "/review/:token": () => ({ stars: "4", words: "Neat edges." }),
  "/reset-password/:token": () => ({ newPassword: "a new passphrase", confirmPassword: "a new passphrase" }),
  "/choose-password": () => bodyFor("PUT /api/user/password"),
  "/get-quote": () => ({ ...quoteRequest(), step: "2", intent: "next" }),
  "/services": () => ({ ...visitor(), servicesWanted: ["lawn_mowing"] }),
  "/service/:service": visitor,
  "/location/:suburb": () => ({ ...bookingRequest() }),
};
