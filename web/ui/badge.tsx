export type BadgeTone = "neutral" | "fresh" | "warm" | "hot";

/** A label of a word or two. */
export function Badge({ tone = "neutral", children }: { tone?: BadgeTone; children: React.ReactNode }) {
  return <span className={`badge badge--${tone}`}>{children}</span>;
}
