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

/** Pays with the typed card. Resolves to `incomplete` if the fields show validation errors. */
export type PayTyped = (
  buyer: PurchaseRequest,
  isKept: boolean,
  prepare: () => Promise<void>,
) => Promise<Attempt | "incomplete">;

/** Pays with the wallet or Link that the buyer opened. @returns false if the form does not start the payment */
export type OnWallet = (pay: PayTyped) => boolean;

/** Returns the style of the card fields and updates it with the colour scheme. */
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

/** Shows Stripe's card fields. Card numbers never reach our pages or our server. */
export function CardEntry({
  payment,
  onReady,
  onWallet,
  onEscape,
}: {
  payment: OpenPayment;
  /** Called with a function that pays once the fields accept input, and with null on unmount. */
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
    // The key remounts the fields after they failed to load.
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
  // Our own form asks for the buyer's details.
  fields: { billingDetails: { name: "never", email: "never", phone: "never" } },
  wallets: { applePay: "never", googlePay: "never", link: "never" },
  // Our own checkbox asks whether to save the card.
  terms: { card: "never" },
} as const;

/** Returns a function that pays with the typed card or the opened wallet; null until Stripe has loaded. */
function usePay(payment: OpenPayment): PayTyped | null {
  const stripe = useStripe();
  const elements = useElements();
  if (!stripe || !elements) return null;
  return async (buyer, isKept, prepare) => {
    const { error: incomplete } = await elements.submit();
    if (incomplete) return "incomplete";
    await prepare();
    // Our server has changed the payment's setting for saving the card. The elements must fetch it.
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
  // These methods pay with a card. Others can stay pending for longer than a hold.
  paymentMethods: {
    applePay: "auto",
    googlePay: "auto",
    link: "auto",
    amazonPay: "never",
    paypal: "never",
    klarna: "never",
  },
} as const;

/** Shows buttons for the device's wallet and for Link, if available. */
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
  // Always mounted: only the element itself can detect a wallet.
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
