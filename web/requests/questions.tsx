import { PhoneNumber } from "../ui/phone-number.tsx";

/** Says how to reach us, with the reference to have ready. */
export function Questions({ phone, reference }: { phone: string; reference?: string | null | undefined }) {
  return (
    <p>
      Questions? Call us on <PhoneNumber typed={phone} />
      {reference && <> with your reference, {reference}</>}.
    </p>
  );
}
