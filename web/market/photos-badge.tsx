import { Badge } from "../ui/badge.tsx";

export const formatPhotoCount = (count: number) => (count === 1 ? "1 photo" : `${count} photos`);

/** Shows how many photos the customer sent. Only the buyer sees the photos. */
export const PhotosBadge = ({ count }: { count: number }) =>
  count > 0 && <Badge>{formatPhotoCount(count)}</Badge>;
