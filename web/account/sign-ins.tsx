import type { SignInMethod } from "../../contract/auth.ts";
import { formatDateTime } from "../lib/format-time.ts";
import { Badge } from "../ui/badge.tsx";
import { useSignIns } from "./account.ts";

const METHODS: Record<SignInMethod, string> = {
  password: "password",
  password_and_passkey: "password and passkey",
  passkey: "passkey",
  recovery_code: "password and recovery code",
  sign_up: "new account",
};

/** Shows recent successful and failed sign-ins, so that the user can notice a stranger's. */
export function SignIns() {
  const { data: signIns, isError } = useSignIns();
  return (
    <>
      {isError && <p className="form__note">The list didn't load. Please check your connection.</p>}
      {signIns?.length === 0 && <p className="form__note">None in the last 90 days.</p>}
      {signIns && signIns.length > 0 && (
        <>
          <p className="form__note">
            Your last {signIns.length === 1 ? "one" : signIns.length} in 90 days. See a failed one that wasn't
            you? Someone may be guessing your password. Choose a stronger one, or add a passkey.
          </p>
          <ul className="sign-ins">
            {signIns.map(({ id, at, device, method, succeeded }) => (
              <li key={id}>
                <span>
                  {device}, {METHODS[method] ?? "another way"}{" "}
                  {!succeeded && <Badge tone="warm">Failed</Badge>}
                </span>
                <time className="muted text-sm" dateTime={new Date(at).toISOString()}>
                  {formatDateTime(at)}
                </time>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}
