/** Says how to reach us, with the reference to have ready. */
export function Questions({ phone, reference }: { phone: string; reference?: string | null | undefined }) {
  return (
    <p>
      Questions? Call us on{" "}
      <a href={`tel:${phone.replaceAll(/\s/g, "")}`}>{phone.replaceAll(" ", "\u00a0")}</a>
      {reference && <> with your reference, {reference}</>}.
    </p>
  );
}
