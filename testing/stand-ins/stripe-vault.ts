/** The part of the Stripe stand-in that stores cards: Customers and PaymentMethods. */
import type { Stripe } from "stripe";

import { testCard } from "./stripe-test-cards.ts";

type StoredMethod = Pick<Stripe.PaymentMethod, "id" | "object" | "created" | "type" | "allow_redisplay"> & {
  customer: string | null;
  card: Pick<Stripe.PaymentMethod.Card, "brand" | "last4" | "exp_month" | "exp_year" | "fingerprint">;
};

type StoredCustomer = Pick<Stripe.Customer, "id" | "object" | "created"> & {
  metadata: Record<string, string>;
};

export class StripeVault {
  readonly customers = new Map<string, StoredCustomer>();
  readonly methods = new Map<string, StoredMethod>();
  /** The full card numbers, which are never returned. */
  readonly #numbers = new Map<string, string>();
  #count = 0;
  readonly #run: string;

  /** @param run random by default, so that IDs in a database from an earlier run never match */
  constructor(run = crypto.randomUUID().slice(0, 8)) {
    this.#run = run;
  }

  /** Returns an ID in Stripe's format. */
  id(prefix: string, count: number): string {
    return `${prefix}_${this.#run}${String(count).padStart(6, "0")}`;
  }

  addCustomer(metadata: Record<string, string>): StoredCustomer {
    const id = this.id("cus", ++this.#count);
    const customer: StoredCustomer = { id, object: "customer", created: this.#count, metadata };
    this.customers.set(id, customer);
    return customer;
  }

  /** Deletes a customer with their cards. Payments made with the cards stay. */
  deleteCustomer(id: string): { id: string; object: "customer"; deleted: true } {
    for (const method of this.methodsOf(id)) method.customer = null;
    this.customers.delete(id);
    return { id, object: "customer", deleted: true };
  }

  /** Adds a typed card. It belongs to no customer until a payment saves it. */
  addMethod(number: string, params: URLSearchParams = new URLSearchParams()): StoredMethod {
    const digits = number.replaceAll(/\s/g, "");
    const method: StoredMethod = {
      id: this.id("pm", ++this.#count),
      object: "payment_method",
      created: this.#count,
      type: "card",
      allow_redisplay:
        params.get("payment_method_data[allow_redisplay]") === "always" ? "always" : "unspecified",
      customer: null,
      card: {
        brand: testCard(digits).brand,
        last4: digits.slice(-4),
        exp_month: Number(params.get("payment_method_data[card][exp_month]") ?? 12),
        exp_year: Number(params.get("payment_method_data[card][exp_year]") ?? 2034),
        fingerprint: `fp_${digits.slice(-8)}`,
      },
    };
    this.methods.set(method.id, method);
    this.#numbers.set(method.id, digits);
    return method;
  }

  /** Returns the behaviour of a method's card. */
  behaviourOf(methodId: string) {
    return testCard(this.#numbers.get(methodId) ?? "");
  }

  methodsOf(customer: string): StoredMethod[] {
    return [...this.methods.values()].filter((method) => method.customer === customer).toReversed();
  }
}
