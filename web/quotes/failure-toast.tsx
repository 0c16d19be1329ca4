import { Toast } from "../ui/toast.tsx";
import type { Failure } from "./use-request-form.ts";

/** Says that a request could not be sent; nothing while all is well. */
export function FailureToast({ failure }: { failure: Failure }) {
  return failure.text && <Toast key={failure.count} title="Error" text={failure.text} destructive />;
}
