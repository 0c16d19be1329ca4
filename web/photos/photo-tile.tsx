import { photoUrl } from "../../contract/photos.ts";

/** Shows a small photo in a row of others. It loads when it comes near the window. */
export function PhotoTile({
  photo: { id, width, height },
  alt,
}: {
  photo: { id: string; width: number; height: number };
  alt: string;
}) {
  return (
    <img
      className="photo-tile"
      src={photoUrl(id, "small")}
      width={width}
      height={height}
      alt={alt}
      loading="lazy"
    />
  );
}
