import { useQuery } from "@tanstack/react-query";

import type { MaskedBankDetails, PersonalInfo, SessionInfo, SignInInfo } from "../../contract/account.ts";
import { unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";
import { KEPT } from "../lib/query-client.ts";

export const PERSONAL_INFO_KEY = ["personal-info"] as const;
export const SESSIONS_KEY = ["sessions"] as const;
export const SIGN_INS_KEY = ["sign-ins"] as const;
export const BANK_KEY = ["bank-details"] as const;

/** Bank details, or the reason why they cannot be shown; null for users without any. */
export type BankState =
  | { details: MaskedBankDetails; problem: null }
  | { details: null; problem: string }
  | null;

export function usePersonalInfo(initialData: PersonalInfo) {
  return useQuery({
    queryKey: PERSONAL_INFO_KEY,
    queryFn: () => unwrap(browserApi().api.user["personal-info"].$get()),
    initialData,
    ...KEPT,
  });
}

export function useSessions(initialData: SessionInfo[]) {
  return useQuery({
    queryKey: SESSIONS_KEY,
    queryFn: () => unwrap(browserApi().api.user.sessions.$get()),
    initialData,
    ...KEPT,
  });
}

export function useBankDetails(initialData: BankState) {
  return useQuery({
    queryKey: BANK_KEY,
    queryFn: async (): Promise<BankState> => ({
      details: await unwrap(browserApi().api.user["bank-details"].$get()),
      problem: null,
    }),
    initialData,
    ...KEPT,
  });
}

/** Returns the account's latest sign-ins. Loads them when the list is shown. */
export function useSignIns() {
  return useQuery<SignInInfo[]>({
    queryKey: SIGN_INS_KEY,
    queryFn: () => unwrap(browserApi().api.user["sign-ins"].$get()),
  });
}
