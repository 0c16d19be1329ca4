/** Stands where the card fields will be, as high as they are. */
export function CardSkeleton() {
  return (
    <div className="pay__skeleton" aria-hidden="true">
      <span />
      <span />
      <span />
    </div>
  );
}
