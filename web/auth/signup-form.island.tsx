import { ADDRESS_PLACEHOLDER, providerSignupSchema } from "../../contract/auth.ts";
import type { FieldErrors } from "../../contract/problem.ts";
import { flashCookie } from "../lib/flash.ts";
import { Alert } from "../ui/alert.tsx";
import { EmailTextField } from "../ui/email-field.tsx";
import { TextField } from "../ui/field.tsx";
import { NewPasswordField } from "./password-field.tsx";
import { getSignupErrors } from "./signup-errors.ts";
import { useAuthForm } from "./use-auth-form.ts";

export type SignupFormProps = {
  /** The values from an earlier attempt, without the password. */
  values: Record<string, string>;
  errors: FieldErrors;
  failure: string | null;
};

const HIDDEN = {
  businessAddress: ADDRESS_PLACEHOLDER,
  abn: "",
  insuranceDetails: "",
  serviceAreas: "",
};

/** Shows the registration form for providers. Before or without the script it posts to the page's action. */
export default function SignupForm(props: SignupFormProps) {
  const { formProps, pending, errors, failure } = useAuthForm({
    path: "/api/auth/provider/signup",
    schema: providerSignupSchema,
    problems: props,
    refused: getSignupErrors,
    done() {
      document.cookie = flashCookie("signup");
      location.replace("/dashboard");
    },
  });
  const field = (name: string) => ({ name, defaultValue: props.values[name], error: errors[name] });
  return (
    <form className="form" {...formProps}>
      {failure && <Alert>{failure}</Alert>}
      {Object.entries(HIDDEN).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <div className="pair">
        <TextField {...field("firstName")} label="First name" autoComplete="given-name" required />
        <TextField {...field("lastName")} label="Last name" autoComplete="family-name" required />
      </div>
      <TextField
        {...field("username")}
        label="Username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        required
      />
      <EmailTextField {...field("email")} />
      <TextField {...field("phone")} label="Phone" type="tel" autoComplete="tel" required />
      <TextField {...field("companyName")} label="Company name" autoComplete="organization" required />
      <NewPasswordField name="password" label="Password" error={errors.password} />
      <button className="button button--main" type="submit" disabled={pending}>
        {pending ? "Creating account..." : "Create Account"}
      </button>
      <p className="field__hint">
        By creating an account you agree to our <a href="/terms-conditions">terms</a> and{" "}
        <a href="/privacy-policy">privacy policy</a>.
      </p>
    </form>
  );
}
