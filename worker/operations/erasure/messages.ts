import { notice } from "../../identity/messages.ts";

export const accountClosed = notice(
  "account_closed",
  "Your Naturestrip account is closed",
  "Your account was closed in Settings, and we're deleting your data and your team's. By law we have to keep your payment records, but without your name.",
);

export const customerAccountClosed = notice(
  "customer_account_closed",
  "Your Naturestrip account is closed",
  "Your account was deleted under Your Requests. We're removing it and the requests sent while signed in.",
);
