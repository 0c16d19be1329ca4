import { Toast } from "../ui/toast.tsx";
import type { Failure } from "../documents/use-action-form.ts";

/** The error message of a failed request, whatever the cause. */
export const SEND_FAILED = "Failed to submit service request. Please try again.";

/** Shows why a request could not be sent. Renders nothing without a failure. */
export function FailureToast({ failure }: { failure: Failure }) {
  return failure.text && <Toast key={failure.count} title="Error" text={failure.text} destructive />;
}
