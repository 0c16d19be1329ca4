import { useEffect, useRef } from "react";

const SIDE = 192;

/** Draws the middle of a photo. The page's policy allows no image from memory, but a canvas needs none. */
export function Thumbnail({ blob }: { blob: Blob | null }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const draw = async () => {
      if (!blob) return;
      const bitmap = await createImageBitmap(blob);
      const side = Math.min(bitmap.width, bitmap.height);
      const [x, y] = [(bitmap.width - side) / 2, (bitmap.height - side) / 2];
      canvas.current?.getContext("2d")?.drawImage(bitmap, x, y, side, side, 0, 0, SIDE, SIDE);
      bitmap.close();
    };
    draw().catch(() => {
      // The browser cannot decode it. The Worker may.
    });
  }, [blob]);
  return <canvas ref={canvas} width={SIDE} height={SIDE} aria-hidden="true" />;
}
