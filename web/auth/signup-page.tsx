import { redirect } from "react-router";

import { providerSignupSchema } from "../../contract/auth.ts";
import { centsToText, LEAD_PRICE_CENTS } from "../../contract/money.ts";
import { getHomePath } from "../lib/home-path.ts";
import { unwrap } from "../lib/api.ts";
import { checkForm } from "../lib/check-form.ts";
import { flashCookie } from "../lib/flash.ts";
import { BLANK_FORM } from "../documents/form-state.ts";
import { handleForm } from "../documents/handle-form.ts";
import { Island } from "../documents/island.tsx";
import { apiContext } from "../lib/server-context.ts";
import { Logo } from "../site/logo.tsx";
import { pageMeta } from "../site/page-meta.ts";
import { Ticks } from "../site/points.tsx";
import { Scene } from "../site/scenes/scene.tsx";
import { fetchVisitorUser } from "../site/visitor.ts";
import type { Route } from "./+types/signup-page.ts";
import SignupForm from "./signup-form.island.tsx";
import { formatPrice } from "../lib/format-money.ts";
import { explainSignupProblem } from "./signup-errors.ts";

const PRICE = formatPrice(centsToText(LEAD_PRICE_CENTS));

const BENEFITS = [
  `Every lead goes to one provider only. First in gets the lead.`,
  `One fixed price of ${PRICE} a lead. No subscription, no commission.`,
  `Full contact details the moment a lead is yours.`,
  `Follow each job from first call to paid invoice.`,
  `Add your team so they can call, quote and book.`,
] as const;

export async function loader({ context }: Route.LoaderArgs) {
  const user = await fetchVisitorUser(context);
  if (user) throw redirect(getHomePath(user));
  return null;
}

export async function action({ request, context }: Route.ActionArgs) {
  const { signup } = context.get(apiContext).api.auth.provider;
  return handleForm(request, {
    check: (values) => checkForm(providerSignupSchema, values),
    send: (json) => unwrap(signup.$post({ json })),
    explain: explainSignupProblem,
    done: () => redirect("/dashboard", { status: 303, headers: { "Set-Cookie": flashCookie("signup") } }),
  });
}

export function meta() {
  return pageMeta({
    title: "Join Our Network",
    description: "Create a provider account and buy lawn and garden leads in New South Wales.",
  });
}

export default function SignupPage({ actionData }: Route.ComponentProps) {
  return (
    <section className="sheet sheet--wide" aria-labelledby="signup-title">
      <div className="sheet__side">
        <Logo />
        <h1 id="signup-title">Join Our Network</h1>
        <Ticks items={BENEFITS} />
        <p>
          <a href="/providers">How it works for providers</a>
        </p>
      </div>
      <div className="sheet__main">
        <p>Service areas can be updated after signup</p>
        <Island
          file="auth/signup-form.island.tsx"
          component={SignupForm}
          when="now"
          props={actionData ?? BLANK_FORM}
        />
        <p>
          Already have an account? <a href="/login">Sign in</a>
        </p>
        <p>
          Asked for a quote? <a href="/my-requests">See your requests</a>
        </p>
      </div>
      <div className="sheet__scene">
        <Scene name="suburb" isLate />
      </div>
    </section>
  );
}
