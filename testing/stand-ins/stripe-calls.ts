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
export type Given = { id: string; params: URLSearchParams; searchParams: URLSearchParams };

/** An HTTP response with its JSON. */
export type Answer = { status: number; body: unknown };

/** Returns an error response with Stripe's wording. */
export function problem(status: number, code: string, message: string): Answer {
  return { status, body: { error: { type: "invalid_request_error", code, message } } };
}

/** Runs a call. */
export function act(book: StripeBook, call: Call, given: Given): Answer {
  const { id, params, searchParams } = given;
  switch (call) {
    case "create":
      return found(book.create(params));
    case "list":
      return listIntents(book, searchParams);
    case "list_refunds":
      return listed(
        book.refunds.filter(({ payment_intent }) => payment_intent === searchParams.get("payment_intent")),
      );
    case "list_disputes":
      return listed(
        book.disputes.filter(({ payment_intent }) => payment_intent === searchParams.get("payment_intent")),
      );
    case "create_customer":
    case "retrieve_customer":
    case "forget_customer":
    case "list_cards":
    case "forget_card":
      return actOnVault(book, call, given);
    default: {
      const intent = book.intents.get(call === "refund" ? params.get("payment_intent")! : id);
      if (!intent) return problem(404, "resource_missing", "No such payment_intent");
      // A browser may only access a payment if it has the payment's secret.
      const secret = params.get("client_secret") ?? searchParams.get("client_secret");
      if (secret !== null && secret !== intent.client_secret)
        return problem(404, "resource_missing", "No such payment_intent");
      return actOn(book, call, intent, params);
    }
  }
}

/** Lists payments newest first, with Stripe's filters: creation time and page limit. */
function listIntents(book: StripeBook, query: URLSearchParams): Answer {
  const number = (name: string, otherwise: number) => Number(query.get(name) ?? otherwise);
  const from = number("created[gte]", 0);
  const to = number("created[lt]", Number.MAX_SAFE_INTEGER);
  const newestFirst = [...book.intents.values()].toReversed();
  const start = newestFirst.findIndex(({ id }) => id === query.get("starting_after")) + 1;
  const found = newestFirst.slice(start).filter(({ created }) => created >= from && created < to);
  const limit = number("limit", 10);
  return {
    status: 200,
    body: { object: "list", data: found.slice(0, limit), has_more: found.length > limit },
  };
}

function actOn(
  book: StripeBook,
  call: "retrieve" | "update" | "confirm" | "cancel" | "refund",
  intent: Intent,
  params: URLSearchParams,
): Answer {
  if (call === "retrieve") return found(intent);
  if (call === "update") return found(book.update(intent, params));
  if (call === "confirm") return confirm(book, intent, params);
  if (call === "cancel") return book.cancel(intent) ? found(intent) : unexpected(intent);
  if (intent.status !== "succeeded") return problem(400, "charge_not_refundable", "Nothing was charged");
  if (intent.latest_charge!.refunded) return problem(400, "charge_already_refunded", "Already refunded");
  // The bank holds the money during a dispute, and keeps it if we lose.
  if (book.isWithBank(intent)) return problem(400, "charge_disputed", "This charge has been charged back");
  const amount = params.get("amount");
  if (Number(amount) > book.refundable(intent))
    return problem(400, "amount_too_large", "More than what is left of the charge");
  return found(book.refund(intent, amount === null ? undefined : Number(amount)));
}

function confirm(book: StripeBook, intent: Intent, params: URLSearchParams): Answer {
  const number = params.get("payment_method_data[card][number]");
  const method = number
    ? book.vault.addMethod(number, params)
    : book.vault.methods.get(params.get("payment_method") ?? "");
  if (!method) return problem(400, "payment_method_missing", "No payment method");
  if (method.customer !== null && method.customer !== intent.customer)
    return problem(400, "payment_method_of_other_customer", "The card belongs to another customer");
  const { behaviour, decline } = book.vault.behaviourOf(method.id);
  intent.payment_method = method.id;
  if (!book.confirm(intent, behaviour, decline)) return unexpected(intent);
  if (behaviour !== "declined") return found(intent);
  return {
    status: 402,
    body: { error: { ...intent.last_payment_error, payment_intent: intent } },
  };
}

function actOnVault(
  book: StripeBook,
  call: "create_customer" | "retrieve_customer" | "forget_customer" | "list_cards" | "forget_card",
  { id, params, searchParams }: Given,
): Answer {
  const { vault } = book;
  if (call === "create_customer") {
    const business = params.get("metadata[business]") ?? "";
    return found(vault.addCustomer({ business }));
  }
  if (call === "forget_card") {
    const method = vault.methods.get(id);
    if (!method?.customer) return problem(400, "resource_missing", "Not attached to a customer");
    method.customer = null;
    return found(method);
  }
  const customer = vault.customers.get(call === "list_cards" ? searchParams.get("customer")! : id);
  if (!customer) return problem(404, "resource_missing", "No such customer");
  if (call === "forget_customer") return found(vault.forgetCustomer(customer.id));
  return call === "list_cards" ? listed(vault.methodsOf(customer.id)) : found(customer);
}

function found(body: unknown): Answer {
  return { status: 200, body };
}

function listed(data: unknown[]): Answer {
  return found({ object: "list", data, has_more: false });
}

function unexpected(intent: Intent): Answer {
  const { status, body } = problem(400, "payment_intent_unexpected_state", `It is ${intent.status}`);
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
