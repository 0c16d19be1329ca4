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
import { CardFormLoadFailure, CardSkeleton } from "./card-skeleton.tsx";
import { fetchStripe } from "./load-stripe.ts";
import { type PayResult, type OpenPayment, returnUrl } from "./purchase-api.ts";

/** Pays with the typed card. Resolves to `incomplete` if the fields show validation errors. */
export type PayWithTypedCard = (
  buyer: PurchaseRequest,
  shouldSave: boolean,
  sendConsent: () => Promise<void>,
) => Promise<PayResult | "incomplete">;

/** Pays with the wallet or Link that the buyer opened. @returns false if the form does not start the payment */
export type HandleWallet = (pay: PayWithTypedCard) => boolean;

/** Returns the style of the card fields and updates it with the colour scheme. */
function useAppearance() {
  const [appearance, setAppearance] = useState(cardAppearance);
  useEffect(() => {
    const dark = matchMedia("(prefers-color-scheme: dark)");
    const updateAppearance = () => setAppearance(cardAppearance());
    dark.addEventListener("change", updateAppearance);
    return () => dark.removeEventListener("change", updateAppearance);
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
  onReady: (pay: PayWithTypedCard | null) => void;
  onWallet: HandleWallet;
  onEscape: () => void;
}) {
  const [stripe, setStripe] = useState<Stripe | null>(null);
  const [attempt, setAttempt] = useState(0);
  const [failedAttempt, setFailedAttempt] = useState<number | null>(null);
  const appearance = useAppearance();
  useEffect(() => {
    let isMounted = true;
    fetchStripe(payment).then(
      (stripe) => isMounted && setStripe(stripe),
      () => isMounted && setFailedAttempt(attempt),
    );
    return () => {
      isMounted = false;
    };
  }, [payment, attempt]);
  if (failedAttempt === attempt) {
    return (
      <CardFormLoadFailure
        words="You're offline, or something in this browser is blocking js.stripe.com."
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
        onLoadFailed={() => setFailedAttempt(attempt)}
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
function usePay(payment: OpenPayment): PayWithTypedCard | null {
  const stripe = useStripe();
  const elements = useElements();
  if (!stripe || !elements) return null;
  return async (buyer, shouldSave, sendConsent) => {
    const { error: incomplete } = await elements.submit();
    if (incomplete) return "incomplete";
    await sendConsent();
    // Our server has changed the payment's setting for saving the card. The elements must fetch it.
    await elements.fetchUpdates();
    const { error, paymentIntent } = await stripe.confirmPayment({
      elements,
      redirect: "if_required",
      confirmParams: {
        return_url: returnUrl(payment.holdId),
        payment_method_data: {
          allow_redisplay: shouldSave ? "always" : "unspecified",
          billing_details: { name: buyer.buyerName, email: buyer.buyerEmail, phone: buyer.buyerPhone },
        },
      },
    });
    return error ? { error: error } : { status: paymentIntent.status };
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
  onWallet: HandleWallet;
  onEscape: () => void;
}) {
  const pay = usePay(payment);
  const [hasWallet, setHasWallet] = useState(false);
  const confirm = (event: StripeExpressCheckoutElementConfirmEvent) => {
    if (!pay || !onWallet(pay)) event.paymentFailed({ reason: "fail" });
  };
  // Always mounted: only the element itself can detect a wallet.
  return (
    <div className="stack pay__wallet" data-empty={!hasWallet || undefined}>
      <ExpressCheckoutElement
        options={WALLET_OPTIONS}
        onReady={({ availablePaymentMethods }) => setHasWallet(Boolean(availablePaymentMethods))}
        onConfirm={confirm}
        onEscape={onEscape}
      />
      {hasWallet && <p className="line muted text-sm pay__or">or with a card</p>}
    </div>
  );
}

function CardFields({
  payment,
  onReady,
  onLoadFailed,
  onEscape,
}: {
  payment: OpenPayment;
  onReady: (pay: PayWithTypedCard | null) => void;
  onLoadFailed: () => void;
  onEscape: () => void;
}) {
  const pay = usePay(payment);
  const [isReady, setReady] = useState(false);

  const notifyReady = useEffectEvent((isReady: boolean) => onReady(isReady ? pay : null));
  useEffect(() => {
    notifyReady(isReady);
    return () => notifyReady(false);
  }, [isReady]);

  return (
    <>
      {!isReady && <CardSkeleton />}
      <PaymentElement
        options={FIELD_OPTIONS}
        onReady={() => setReady(true)}
        onLoadError={onLoadFailed}
        onEscape={onEscape}
      />
    </>
  );
}
