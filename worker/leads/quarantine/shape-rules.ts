/** Checks whether one of our forms could have sent a request. If not, a bot sent it. */
import { PAGE_SERVICES, QUOTE_FORM_SERVICES, type ServiceId } from "../../../contract/catalogue.ts";
import type { ChallengeAction } from "../../../contract/challenges.ts";
import type { LeadRequest } from "../../../contract/leads.ts";
import { SERVICE_EXTRAS, SIMPLE_QUOTE_DEFAULTS } from "../../../contract/simple-quotes.ts";

type Answers = Omit<LeadRequest, "customerName" | "customerPhone">;

function areOffered(chosen: readonly string[], offered: readonly string[]): boolean {
  return new Set(chosen).size === chosen.length && chosen.every((one) => offered.includes(one));
}

function hasSimpleValues(request: Answers, without: readonly string[]): boolean {
  return Object.entries(SIMPLE_QUOTE_DEFAULTS).every(
    ([name, value]) => without.includes(name) || request[name as keyof Answers] === value,
  );
}

/** Returns whether the forms on the services page or a service's page could have sent the answers. */
function isShortQuote(request: Answers): boolean {
  const { serviceType, additionalServices, suburbId } = request;
  const [only] = serviceType as ServiceId[];
  const extras = (serviceType.length === 1 && only && SERVICE_EXTRAS[only]) || [];
  const isExtra = additionalServices.length === 0 || additionalServices.join() === extras.join();
  return hasSimpleValues(request, []) && areOffered(serviceType, PAGE_SERVICES) && isExtra && !suburbId;
}

/**
 * Returns whether the three-step form could have sent the answers: all fields, advertised services only and no suburb
 * id.
 */
function isLongQuote(request: Answers): boolean {
  const { serviceType, additionalServices, suburbId, grassType, lawnCondition, accessRequirements } = request;
  const isComplete = Boolean(grassType && lawnCondition && accessRequirements);
  return (
    isComplete &&
    !suburbId &&
    areOffered(serviceType, QUOTE_FORM_SERVICES) &&
    areOffered(additionalServices, additionalServices)
  );
}

/** Returns whether the form on a suburb's page, with one service and a size, could have sent the answers. */
function isBooking(request: Answers): boolean {
  const { serviceType, additionalServices } = request;
  return (
    hasSimpleValues(request, ["propertySize"]) &&
    serviceType.length === 1 &&
    areOffered(serviceType, PAGE_SERVICES) &&
    additionalServices.length === 0
  );
}

/**
 * Returns whether a form could have sent these answers.
 * @param form the form that the request claims to come from
 */
export function couldSend(form: ChallengeAction, request: Answers): boolean {
  return form === "booking" ? isBooking(request) : isShortQuote(request) || isLongQuote(request);
}
