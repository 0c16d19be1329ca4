/** The longer side of a photo that the browser sends. The Worker stores 1,600 pixels. */
const MAX_SIDE = 2_048;
const QUALITY = 0.85;

/**
 * Returns a photo small enough for a slow link, without its place and time. A photo that the browser cannot decode is
 * sent as it is: the Worker may know its format.
 */
export async function reducePhoto(file: Blob): Promise<Blob> {
  try {
    const bitmap = await createImageBitmap(file);
    const scale = Math.min(1, MAX_SIDE / Math.max(bitmap.width, bitmap.height));
    const canvas = document.createElement("canvas");
    canvas.width = Math.max(1, Math.round(bitmap.width * scale));
    canvas.height = Math.max(1, Math.round(bitmap.height * scale));
    canvas.getContext("2d")!.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
    bitmap.close();
    const reduced = await new Promise<Blob | null>((resolve) => {
      canvas.toBlob(resolve, "image/jpeg", QUALITY);
    });
    return reduced ?? file;
  } catch {
    return file;
  }
}
