import { preferenceOf } from "../../contract/lead-labels.ts";
import type {
  ContactPreferenceAnswer,
  CustomerRequest,
  WithdrawalAnswer,
} from "../../contract/request-links.ts";
import type { ActResult } from "./customer-acts.tsx";

/** The result of a form of the page. */
export type PostOutcome =
  | WithdrawalAnswer["outcome"]
  | ContactPreferenceAnswer["outcome"]
  | NonNullable<ActResult["outcome"]>;

/** The page of a request, after a form was posted. */
type Shown = {
  request: CustomerRequest;
  outcome: PostOutcome | null;
  isJobSaved: boolean;
  act: Pick<ActResult, "intent" | "suggestion"> | null;
};

/** Returns the latest news of the customer's own acts, for the top of the page; null if there is none. */
export function newsOf({ request, outcome, isJobSaved, act }: Shown): string | null {
  const { provider, contact, isCalledOff, isChangePending, isErasurePending, isWithdrawalPending } = request;
  if (isErasurePending)
    return "A provider is paying for your request right now. We’ll delete your data as soon as they’ve finished.";
  if (isWithdrawalPending)
    return "A provider is paying for your request right now. If they don’t finish, we’ll withdraw it for you.";
  if (isChangePending)
    return "We’ve saved your change. A provider may be paying for your request right now, so it may take a few minutes to show.";
  if (isCalledOff) return "You’ve called off the job, and we’ve let your provider know.";
  if (outcome === "call_us")
    return request.canEnterDigits
      ? `We haven’t saved this yet. Please call us, so we can check the new ${act?.intent === "email" ? "email address" : "number"} with you.`
      : "You’re out of tries. Please call us, and we’ll help you do it.";
  if (outcome === "saved") {
    const preference = preferenceOf(contact);
    return preference ? `Saved. You prefer ${preference}.` : "Saved. You have no preference.";
  }
  if (act?.intent === "email" && outcome === "changed")
    return `Saved. From now on, we’ll email you at your new address.${act.suggestion ? ` Did you mean ${act.suggestion}? If so, please change it again.` : ""}`;
  if (act?.intent === "phone" && outcome === "changed")
    return provider
      ? `We’ve saved your new phone number, and ${provider.name} can see it.`
      : "We’ve saved your new phone number. Only the provider who takes the job will see it.";
  if (isJobSaved)
    return provider
      ? `Saved. ${provider.name} can see the change.`
      : "Saved. Providers can see the job, but not your last name, number or street.";
  return request.isNumberWrong && provider
    ? `We’ve let ${provider.name} know that the number is wrong. If this is your request, change your number below.`
    : null;
}
