/** The part of the stand-in for Stripe that keeps cards: Customers and PaymentMethods. */
import type { Stripe } from "stripe";

import { testCard } from "./stripe-test-cards.ts";

export type StoredMethod = Pick<
  Stripe.PaymentMethod,
  "id" | "object" | "created" | "type" | "allow_redisplay"
> & {
  customer: string | null;
  card: Pick<Stripe.PaymentMethod.Card, "brand" | "last4" | "exp_month" | "exp_year" | "fingerprint">;
};

type StoredCustomer = Pick<Stripe.Customer, "id" | "object" | "created"> & {
  metadata: Record<string, string>;
};

export class StripeVault {
  readonly customers = new Map<string, StoredCustomer>();
  readonly methods = new Map<string, StoredMethod>();
  /** A card's whole number stays inside. */
  readonly #numbers = new Map<string, string>();
  #count = 0;
  readonly #run: string;

  /** @param run of its own by default: what an earlier one made and a database still knows is never met again */
  constructor(run = crypto.randomUUID().slice(0, 8)) {
    this.#run = run;
  }

  /** An id such as Stripe would give. */
  id(prefix: string, count: number): string {
    return `${prefix}_${this.#run}${String(count).padStart(6, "0")}`;
  }

  addCustomer(metadata: Record<string, string>): StoredCustomer {
    const id = this.id("cus", ++this.#count);
    const customer: StoredCustomer = { id, object: "customer", created: this.#count, metadata };
    this.customers.set(id, customer);
    return customer;
  }

  /** A customer who is deleted takes their cards along; payments made with them stay. */
  forgetCustomer(id: string): { id: string; object: "customer"; deleted: true } {
    for (const method of this.methodsOf(id)) method.customer = null;
    this.customers.delete(id);
    return { id, object: "customer", deleted: true };
  }

  /** A card as it is typed in; nobody's until a payment keeps it. */
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

  /** How a method's card behaves. */
  behaviourOf(methodId: string) {
    return testCard(this.#numbers.get(methodId) ?? "");
  }

  methodsOf(customer: string): StoredMethod[] {
    return [...this.methods.values()].filter((method) => method.customer === customer).toReversed();
  }
}
