import { data, redirect } from "react-router";

import { forgotPasswordSchema } from "../../contract/auth.ts";
import { getHomePath } from "../lib/home-path.ts";
import { ApiError, messageOf, unwrap } from "../lib/api.ts";
import { checkForm } from "../lib/check-form.ts";
import { apiContext, requestContext } from "../lib/server-context.ts";
import { Logo } from "../site/logo.tsx";
import { pageMeta } from "../site/page-meta.ts";
import { fetchVisitorUser } from "../site/visitor.ts";
import { Alert } from "../ui/alert.tsx";
import { TextField } from "../ui/field.tsx";
import { Icon } from "../ui/icon.tsx";
import type { Route } from "./+types/forgot-password-page.ts";
import { PhoneNumber } from "../ui/phone-number.tsx";

export async function loader({ context }: Route.LoaderArgs) {
  const user = await fetchVisitorUser(context);
  if (user) throw redirect(getHomePath(user));
  const { sendsEmail, contactPhone, contactEmail } = context.get(requestContext);
  return { sendsEmail, contactPhone, contactEmail };
}

/** Requests a link. The response does not reveal whether the account exists. */
export async function action({ request, context }: Route.ActionArgs) {
  const username = String((await request.formData()).get("username") ?? "");
  const checked = checkForm(forgotPasswordSchema, { username });
  if (checked.errors) {
    return data({ isAsked: false, failure: checked.errors.username ?? null, username }, 400);
  }
  try {
    await unwrap(context.get(apiContext).api.auth["forgot-password"].$post({ json: checked.values }));
    return data({ isAsked: true, failure: null, username });
  } catch (error) {
    const failure = messageOf(error, "We couldn't send the link. Please try again.");
    return data({ isAsked: false, failure, username }, error instanceof ApiError ? error.status : 500);
  }
}

export function meta() {
  return pageMeta({ title: "Forgot password", description: "Get a link to choose a new password." });
}

export default function ForgotPasswordPage({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <section className="sheet sheet--small" aria-labelledby="forgot-title">
      <p className="sheet__back">
        <a href="/login">
          <Icon name="back" size={20} />
          Back to sign in
        </a>
      </p>
      <Logo />
      <h1 id="forgot-title">{actionData?.isAsked ? "Check your email" : "Forgot password?"}</h1>
      {actionData?.isAsked ? (
        <>
          <p>
            If there’s an account by that name and it has an email address, a link is on its way. It works
            once, for up to 24 hours.
          </p>
          <p>Nothing after a few minutes? Check your junk folder, or get in touch.</p>
        </>
      ) : loaderData.sendsEmail ? (
        <AskForLink failure={actionData?.failure ?? null} username={actionData?.username} />
      ) : (
        <ContactSupport phone={loaderData.contactPhone} email={loaderData.contactEmail} />
      )}
    </section>
  );
}

/** @param username what the visitor typed last */
function AskForLink({ failure, username }: { failure: string | null; username: string | undefined }) {
  return (
    <>
      <p>Tell us how you sign in and we’ll email you a link to choose a new password.</p>
      <form className="form" method="post">
        {failure && <Alert>{failure}</Alert>}
        <TextField
          name="username"
          label="Username or email"
          defaultValue={username}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          required
        />
        <button className="button button--main" type="submit">
          Send me a link
        </button>
      </form>
    </>
  );
}

/** Shows how to get a link where the site sends no email. Owners and admins create the links. */
function ContactSupport({ phone, email }: { phone: string; email: string }) {
  return (
    <>
      <p>
        <strong>On a provider's team?</strong> Ask the owner of the business. They can create a link for you
        on their dashboard, under Team.
      </p>
      <p>
        <strong>Is it your business?</strong> Call us on <PhoneNumber typed={phone} /> or email{" "}
        <a href={`mailto:${email}`}>{email}</a>. Once we know it's you, we'll send you a link.
      </p>
      <p>The link works once, for up to 24 hours, and lets you choose a new password.</p>
    </>
  );
}
