import { type FormEvent, useRef, useState } from "react";

import { providerSignupSchema } from "../../contract/auth.ts";
import { formToObject } from "../../contract/forms.ts";
import { type FieldErrors, fieldErrors } from "../../contract/problem.ts";
import { flashCookie } from "../lib/flash.ts";
import { Alert } from "../ui/alert.tsx";
import { TextField } from "../ui/field.tsx";
import { NewPasswordField } from "./password-field.tsx";
import { useErrorFocus } from "../ui/use-error-focus.ts";
import { postJson } from "./post-json.ts";
import { signupProblem } from "./signup-problem.ts";

export type SignupFormProps = {
  /** What was sent before, but for the password. */
  values: Record<string, string>;
  errors: FieldErrors;
  failure: string | null;
};

const HIDDEN = {
  businessAddress: "To be updated after signup",
  abn: "",
  insuranceDetails: "",
  serviceAreas: "",
};

/** Registration of a provider. Without script the form posts to the page's action. */
export default function SignupForm(props: SignupFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [pending, setPending] = useState(false);
  const [errors, setErrors] = useState(props.errors);
  const [failure, setFailure] = useState(props.failure);

  const focusError = useErrorFocus(form, Object.keys(props.errors).length > 0);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (pending) return;
    const checked = providerSignupSchema.safeParse(formToObject(new FormData(event.currentTarget)));
    setFailure(null);
    focusError();
    if (!checked.success) return setErrors(fieldErrors(checked.error.issues));
    setErrors({});
    setPending(true);
    const answer = await postJson("/api/auth/provider/signup", checked.data);
    if (!answer.ok) {
      setPending(false);
      const said = signupProblem(answer.problem);
      focusError();
      setErrors(said.errors);
      return setFailure(said.failure);
    }
    document.cookie = flashCookie("signup");
    location.replace("/dashboard");
  }

  const field = (name: string) => ({ name, defaultValue: props.values[name], error: errors[name] });
  return (
    <form className="form" method="post" noValidate ref={form} onSubmit={submit}>
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
      <TextField {...field("email")} label="Email" type="email" autoComplete="email" />
      <TextField {...field("phone")} label="Phone" type="tel" autoComplete="tel" required />
      <TextField {...field("companyName")} label="Company name" autoComplete="organization" required />
      <NewPasswordField name="password" label="Password" error={errors.password} />
      <button className="button" type="submit" disabled={pending}>
        {pending ? "Creating account..." : "Create Account"}
      </button>
    </form>
  );
}
