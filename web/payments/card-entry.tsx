import {
  Elements,
  ExpressCheckoutElement,
  PaymentElement,
  useElements,
  useStripe,
} from "@stripe/react-stripe-js";
import type { Stripe, StripeExpressCheckoutElementConfirmEvent } from "@stripe/stripe-js";
import { useEffect, useEffectEvent, useState } from "react";

import type { PurchaseRequest } from "../../contract/purchases.ts";
import { cardAppearance } from "./appearance.ts";
import { CardFormMissing, CardSkeleton } from "./card-skeleton.tsx";
import { fetchStripe } from "./load-stripe.ts";
import { type Attempt, type OpenPayment, returnUrl } from "./purchase-api.ts";

/** Pays with the card that was typed in. `incomplete`: the fields themselves say what is missing. */
export type PayTyped = (
  buyer: PurchaseRequest,
  isKept: boolean,
  prepare: () => Promise<void>,
) => Promise<Attempt | "incomplete">;

/** Pays with the phone's wallet or Link, which its owner has opened already. @returns false when the form refuses it */
export type OnWallet = (pay: PayTyped) => boolean;

/** The look of the fields, which turns light or dark with the page. */
function useAppearance() {
  const [appearance, setAppearance] = useState(cardAppearance);
  useEffect(() => {
    const dark = matchMedia("(prefers-color-scheme: dark)");
    const turn = () => setAppearance(cardAppearance());
    dark.addEventListener("change", turn);
    return () => dark.removeEventListener("change", turn);
  }, []);
  return appearance;
}

/** Stripe's own card fields: no card number ever reaches our pages or our server. */
export function CardEntry({
  payment,
  onReady,
  onWallet,
  onEscape,
}: {
  payment: OpenPayment;
  /** Gives the way to pay once the fields can be typed into; null when they go. */
  onReady: (pay: PayTyped | null) => void;
  onWallet: OnWallet;
  onEscape: () => void;
}) {
  const [stripe, setStripe] = useState<Stripe | null>(null);
  const [attempt, setAttempt] = useState(0);
  const [failedAttempt, setFailedAttempt] = useState<number | null>(null);
  const appearance = useAppearance();
  useEffect(() => {
    let isHere = true;
    fetchStripe(payment).then(
      (stripe) => isHere && setStripe(stripe),
      () => isHere && setFailedAttempt(attempt),
    );
    return () => {
      isHere = false;
    };
  }, [payment, attempt]);
  if (failedAttempt === attempt) {
    return (
      <CardFormMissing
        words="You are offline, or something in this browser blocks js.stripe.com."
        onRetry={() => setAttempt(attempt + 1)}
      />
    );
  }
  if (!stripe) return <CardSkeleton />;
  return (
    // What did not load is made anew by the next attempt.
    <Elements
      key={attempt}
      stripe={stripe}
      options={{ clientSecret: payment.clientSecret, appearance, loader: "never" }}
    >
      <WalletButton payment={payment} onWallet={onWallet} onEscape={onEscape} />
      <CardFields
        payment={payment}
        onReady={onReady}
        onBroken={() => setFailedAttempt(attempt)}
        onEscape={onEscape}
      />
    </Elements>
  );
}

const FIELD_OPTIONS = {
  // Who pays stands in our own form.
  fields: { billingDetails: { name: "never", email: "never", phone: "never" } },
  wallets: { applePay: "never", googlePay: "never", link: "never" },
  // Our own words ask whether the card is kept.
  terms: { card: "never" },
} as const;

/** Pays what the elements hold, a typed card or an opened wallet. */
function usePay(payment: OpenPayment): PayTyped | null {
  const stripe = useStripe();
  const elements = useElements();
  if (!stripe || !elements) return null;
  return async (buyer, isKept, prepare) => {
    const { error: incomplete } = await elements.submit();
    if (incomplete) return "incomplete";
    await prepare();
    // Whether the card is kept was told to Stripe by our server: the fields have to know.
    await elements.fetchUpdates();
    const { error, paymentIntent } = await stripe.confirmPayment({
      elements,
      redirect: "if_required",
      confirmParams: {
        return_url: returnUrl(payment.holdId),
        payment_method_data: {
          allow_redisplay: isKept ? "always" : "unspecified",
          billing_details: { name: buyer.buyerName, email: buyer.buyerEmail, phone: buyer.buyerPhone },
        },
      },
    });
    return error ? { refused: error } : { status: paymentIntent.status };
  };
}

const WALLET_OPTIONS = {
  buttonHeight: 48,
  layout: { maxColumns: 2, maxRows: 1, overflow: "never" },
  // These pay with a card. Other methods may stay undecided for longer than a lead is set aside.
  paymentMethods: {
    applePay: "auto",
    googlePay: "auto",
    link: "auto",
    amazonPay: "never",
    paypal: "never",
    klarna: "never",
  },
} as const;

/** The wallet of the phone or the browser, and Link, where there are any; nothing where there are none. */
function WalletButton({
  payment,
  onWallet,
  onEscape,
}: {
  payment: OpenPayment;
  onWallet: OnWallet;
  onEscape: () => void;
}) {
  const pay = usePay(payment);
  const [hasWallet, setHasWallet] = useState(false);
  const confirm = (event: StripeExpressCheckoutElementConfirmEvent) => {
    if (!pay || !onWallet(pay)) event.paymentFailed({ reason: "fail" });
  };
  // Mounted before it is known whether there is one: only the element itself can tell.
  return (
    <div className="pay__wallet" data-empty={!hasWallet || undefined}>
      <ExpressCheckoutElement
        options={WALLET_OPTIONS}
        onReady={({ availablePaymentMethods }) => setHasWallet(Boolean(availablePaymentMethods))}
        onConfirm={confirm}
        onEscape={onEscape}
      />
      {hasWallet && <p className="pay__or">or with a card</p>}
    </div>
  );
}

function CardFields({
  payment,
  onReady,
  onBroken,
  onEscape,
}: {
  payment: OpenPayment;
  onReady: (pay: PayTyped | null) => void;
  onBroken: () => void;
  onEscape: () => void;
}) {
  const pay = usePay(payment);
  const [isReady, setReady] = useState(false);

  const tellReady = useEffectEvent((isReady: boolean) => onReady(isReady ? pay : null));
  useEffect(() => {
    tellReady(isReady);
    return () => tellReady(false);
  }, [isReady]);

  return (
    <>
      {!isReady && <CardSkeleton />}
      <PaymentElement
        options={FIELD_OPTIONS}
        onReady={() => setReady(true)}
        onLoadError={onBroken}
        onEscape={onEscape}
      />
    </>
  );
}
