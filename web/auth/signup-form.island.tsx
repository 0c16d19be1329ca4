import { ADDRESS_PLACEHOLDER } from "../../contract/auth.ts";
import type { FormState } from "../documents/form-state.ts";
import { useActionForm } from "../documents/use-action-form.ts";
import { Alert } from "../ui/alert.tsx";
import { EmailTextField } from "../ui/email-field.tsx";
import { TextField } from "../ui/field.tsx";
import { NewPasswordField } from "./password-field.tsx";
import { SIGNUP_FAILED } from "./signup-errors.ts";

const HIDDEN = {
  businessAddress: ADDRESS_PLACEHOLDER,
  abn: "",
  insuranceDetails: "",
  serviceAreas: "",
};

/** Shows the registration form for providers. */
export default function SignupForm(given: FormState) {
  const { formProps, isSending, errors, failure, field } = useActionForm(given, {
    failedText: SIGNUP_FAILED,
    leave: (to) => location.replace(to),
  });
  return (
    <form className="form" {...formProps}>
      {failure.text && <Alert key={failure.count}>{failure.text}</Alert>}
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
      <button className="button button--main" type="submit" disabled={isSending}>
        {isSending ? "Creating account..." : "Create Account"}
      </button>
      <p className="field__hint">
        By creating an account you agree to our <a href="/terms-conditions">terms</a> and{" "}
        <a href="/privacy-policy">privacy policy</a>.
      </p>
    </form>
  );
}
