/** Whether a request is one that a form of ours can send. What no form sends, a program has put together. */
import { PAGE_SERVICES, QUOTE_FORM_SERVICES, type ServiceId } from "../../../contract/catalogue.ts";
import type { ChallengeAction } from "../../../contract/challenges.ts";
import type { LeadRequest } from "../../../contract/leads.ts";
import { SERVICE_EXTRAS, SIMPLE_QUOTE_VALUES } from "../../../contract/simple-quotes.ts";

type Answers = Omit<LeadRequest, "customerName" | "customerPhone">;

function areFrom(chosen: readonly string[], offered: readonly string[]): boolean {
  return new Set(chosen).size === chosen.length && chosen.every((one) => offered.includes(one));
}

function hasSimpleValues(request: Answers, without: readonly string[]): boolean {
  return Object.entries(SIMPLE_QUOTE_VALUES).every(
    ([name, value]) => without.includes(name) || request[name as keyof Answers] === value,
  );
}

/** The forms of the services page and of each service's own page. */
function isShortQuote(request: Answers): boolean {
  const { serviceType, additionalServices, suburbId } = request;
  const [only] = serviceType as ServiceId[];
  const extras = (serviceType.length === 1 && only && SERVICE_EXTRAS[only]) || [];
  const isExtra = additionalServices.length === 0 || additionalServices.join() === extras.join();
  return hasSimpleValues(request, []) && areFrom(serviceType, PAGE_SERVICES) && isExtra && !suburbId;
}

/** The form in three steps: it asks for everything, offers what is advertised and knows no suburb. */
function isLongQuote(request: Answers): boolean {
  const { serviceType, additionalServices, suburbId, grassType, lawnCondition, accessRequirements } = request;
  const isWhole = Boolean(grassType && lawnCondition && accessRequirements);
  return (
    isWhole &&
    !suburbId &&
    areFrom(serviceType, QUOTE_FORM_SERVICES) &&
    areFrom(additionalServices, additionalServices)
  );
}

/** The form of a suburb's page; it asks for one service and a size. */
function isBooking(request: Answers): boolean {
  const { serviceType, additionalServices } = request;
  return (
    hasSimpleValues(request, ["propertySize"]) &&
    serviceType.length === 1 &&
    areFrom(serviceType, PAGE_SERVICES) &&
    additionalServices.length === 0
  );
}

/** @param form where it says it comes from */
export function canComeFrom(form: ChallengeAction, request: Answers): boolean {
  return form === "booking" ? isBooking(request) : isShortQuote(request) || isLongQuote(request);
}
