/** Defines how each call to the Stripe stand-in changes its payments and cards. */
import type { Intent, StripeBook } from "./stripe-book.ts";

/** The supported endpoints. */
export type Call =
  | "create"
  | "retrieve"
  | "update"
  | "confirm"
  | "cancel"
  | "refund"
  | "list"
  | "list_refunds"
  | "list_disputes"
  | "create_customer"
  | "retrieve_customer"
  | "forget_customer"
  | "list_cards"
  | "forget_card";

/** A call's arguments: the object in its path, and its parameters. */
export type CallInput = { id: string; params: URLSearchParams; searchParams: URLSearchParams };

/** An HTTP response with its JSON. */
export type StripeResponse = { status: number; body: unknown };

/** Returns an error response with Stripe's wording. */
export function errorResponse(status: number, code: string, message: string): StripeResponse {
  return { status, body: { error: { type: "invalid_request_error", code, message } } };
}

/** Runs a call. */
export function handleCall(book: StripeBook, call: Call, input: CallInput): StripeResponse {
  const { id, params, searchParams } = input;
  switch (call) {
    case "create":
      return intentResponse(book.create(params));
    case "list":
      return listIntents(book, searchParams);
    case "list_refunds":
      return listResponse(
        book.refunds.filter(({ payment_intent }) => payment_intent === searchParams.get("payment_intent")),
      );
    case "list_disputes":
      return listResponse(
        book.disputes.filter(({ payment_intent }) => payment_intent === searchParams.get("payment_intent")),
      );
    case "create_customer":
    case "retrieve_customer":
    case "forget_customer":
    case "list_cards":
    case "forget_card":
      return handleVaultCall(book, call, input);
    default: {
      const intent = book.intents.get(call === "refund" ? params.get("payment_intent")! : id);
      if (!intent) return errorResponse(404, "resource_missing", "No such payment_intent");
      // A browser may only access a payment if it has the payment's secret.
      const secret = params.get("client_secret") ?? searchParams.get("client_secret");
      if (secret !== null && secret !== intent.client_secret)
        return errorResponse(404, "resource_missing", "No such payment_intent");
      return handleIntentCall(book, call, intent, params);
    }
  }
}

/** Lists payments newest first, with Stripe's filters: creation time and page limit. */
function listIntents(book: StripeBook, query: URLSearchParams): StripeResponse {
  const number = (name: string, otherwise: number) => Number(query.get(name) ?? otherwise);
  const from = number("created[gte]", 0);
  const to = number("created[lt]", Number.MAX_SAFE_INTEGER);
  const newestFirst = [...book.intents.values()].toReversed();
  const start = newestFirst.findIndex(({ id }) => id === query.get("starting_after")) + 1;
  const intentResponse = newestFirst.slice(start).filter(({ created }) => created >= from && created < to);
  const limit = number("limit", 10);
  return {
    status: 200,
    body: { object: "list", data: intentResponse.slice(0, limit), has_more: intentResponse.length > limit },
  };
}

function handleIntentCall(
  book: StripeBook,
  call: "retrieve" | "update" | "confirm" | "cancel" | "refund",
  intent: Intent,
  params: URLSearchParams,
): StripeResponse {
  if (call === "retrieve") return intentResponse(intent);
  if (call === "update") return intentResponse(book.update(intent, params));
  if (call === "confirm") return confirm(book, intent, params);
  if (call === "cancel") return book.cancel(intent) ? intentResponse(intent) : unexpectedState(intent);
  if (intent.status !== "succeeded")
    return errorResponse(400, "charge_not_refundable", "Nothing was charged");
  if (intent.latest_charge!.refunded)
    return errorResponse(400, "charge_already_refunded", "Already refunded");
  // The bank holds the money during a dispute, and keeps it if we lose.
  if (book.hasOpenDispute(intent))
    return errorResponse(400, "charge_disputed", "This charge has been charged back");
  const amount = params.get("amount");
  if (Number(amount) > book.refundable(intent))
    return errorResponse(400, "amount_too_large", "More than what is left of the charge");
  return intentResponse(book.refund(intent, amount === null ? undefined : Number(amount)));
}

function confirm(book: StripeBook, intent: Intent, params: URLSearchParams): StripeResponse {
  const number = params.get("payment_method_data[card][number]");
  const method = number
    ? book.vault.addMethod(number, params)
    : book.vault.methods.get(params.get("payment_method") ?? "");
  if (!method) return errorResponse(400, "payment_method_missing", "No payment method");
  if (method.customer !== null && method.customer !== intent.customer)
    return errorResponse(400, "payment_method_of_other_customer", "The card belongs to another customer");
  const { behaviour, decline } = book.vault.behaviourOf(method.id);
  intent.payment_method = method.id;
  if (!book.confirm(intent, behaviour, decline)) return unexpectedState(intent);
  if (behaviour !== "declined") return intentResponse(intent);
  return {
    status: 402,
    body: { error: { ...intent.last_payment_error, payment_intent: intent } },
  };
}

function handleVaultCall(
  book: StripeBook,
  call: "create_customer" | "retrieve_customer" | "forget_customer" | "list_cards" | "forget_card",
  { id, params, searchParams }: CallInput,
): StripeResponse {
  const { vault } = book;
  if (call === "create_customer") {
    const business = params.get("metadata[business]") ?? "";
    return intentResponse(vault.addCustomer({ business }));
  }
  if (call === "forget_card") {
    const method = vault.methods.get(id);
    if (!method?.customer) return errorResponse(400, "resource_missing", "Not attached to a customer");
    method.customer = null;
    return intentResponse(method);
  }
  const customer = vault.customers.get(call === "list_cards" ? searchParams.get("customer")! : id);
  if (!customer) return errorResponse(404, "resource_missing", "No such customer");
  if (call === "forget_customer") return intentResponse(vault.deleteCustomer(customer.id));
  return call === "list_cards" ? listResponse(vault.methodsOf(customer.id)) : intentResponse(customer);
}

function intentResponse(body: unknown): StripeResponse {
  return { status: 200, body };
}

function listResponse(data: unknown[]): StripeResponse {
  return intentResponse({ object: "list", data, has_more: false });
}

function unexpectedState(intent: Intent): StripeResponse {
  const { status, body } = errorResponse(400, "payment_intent_unexpected_state", `It is ${intent.status}`);
  const { error } = body as { error: object };
  return { status, body: { error: { ...error, payment_intent: intent } } };
}

/** Returns the call that a request makes; null for an unknown one. */
export function callOf(
  method: string,
  resource: string,
  id: string,
  action: string | undefined,
): Call | null {
  const isRead = method === "GET";
  switch (resource) {
    case "payment_intents":
      if (isRead) return id ? "retrieve" : "list";
      if (action === "cancel" || action === "confirm") return action;
      return action ? null : id ? "update" : "create";
    case "refunds":
      return isRead ? "list_refunds" : "refund";
    case "disputes":
      return "list_disputes";
    case "customers":
      if (method === "DELETE") return "forget_customer";
      return isRead ? "retrieve_customer" : "create_customer";
    case "payment_methods":
      if (isRead) return "list_cards";
      return action === "detach" ? "forget_card" : null;
    default:
      return null;
  }
}
