import { useQuery } from "@tanstack/react-query";

import type { PasskeyState } from "../../contract/passkeys.ts";
import { unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";
import { requestAssertion } from "./webauthn.ts";

export const PASSKEYS_KEY = ["passkeys"] as const;

/** Returns the user's passkeys. Loads them when they are shown, unless the page's loader did. */
export function usePasskeys(initialData?: PasskeyState) {
  return useQuery<PasskeyState>({
    queryKey: PASSKEYS_KEY,
    queryFn: () => unwrap(browserApi().api.passkeys.$get()),
    staleTime: 0,
    initialData,
  });
}

/** Confirms the user's identity with a passkey. @throws the browser's error, or ApiError */
export async function confirmByPasskey(): Promise<void> {
  const { passkey } = browserApi().api.auth.confirm;
  const credential = await requestAssertion(await unwrap(passkey.options.$post()));
  await unwrap(passkey.$post({ json: { credential } }));
}
