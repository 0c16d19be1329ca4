/** Reads an uploaded photo and encodes it again. Only the new bytes are stored. */
import { PHOTO_SIZES, PHOTO_UNREADABLE, type PhotoSize } from "../../../contract/photos.ts";
import { DomainError } from "../../platform/errors.ts";
import { log } from "../../platform/log.ts";

export type PhotoType = "image/jpeg" | "image/png" | "image/webp" | "image/heic" | "image/avif";

const textAt = (bytes: Uint8Array, from: number, to: number) =>
  String.fromCharCode(...bytes.subarray(from, to));

/** Brands of the file type box, where HEIC and AVIF files begin. */
const BRANDS: Readonly<Record<string, PhotoType>> = {
  heic: "image/heic",
  heix: "image/heic",
  mif1: "image/heic",
  msf1: "image/heic",
  avif: "image/avif",
  avis: "image/avif",
};

/** Returns a photo's type by its first bytes, whatever its name or Content-Type says; null for any other file. */
export function sniffPhoto(bytes: Uint8Array): PhotoType | null {
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return "image/jpeg";
  if (textAt(bytes, 0, 8) === "\x89PNG\r\n\x1a\n") return "image/png";
  if (textAt(bytes, 0, 4) === "RIFF" && textAt(bytes, 8, 12) === "WEBP") return "image/webp";
  if (textAt(bytes, 4, 8) === "ftyp") return BRANDS[textAt(bytes, 8, 12)] ?? null;
  return null;
}

/** Maximum pixels of an upload, decoded. A phone's largest photo has 50 million; a small file may claim more. */
export const MAX_PIXELS = 64_000_000;

/** Chunks of a WebP file that may contain a place, a time or a camera. */
const METADATA_CHUNKS: ReadonlySet<string> = new Set(["EXIF", "XMP "]);

/**
 * Returns the size of a WebP image in pixels.
 * @throws Error if the bytes are no WebP, or contain metadata
 */
export function readWebp(bytes: Uint8Array): { width: number; height: number } {
  if (sniffPhoto(bytes) !== "image/webp") throw new Error("The photo was not encoded as WebP");
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let size: { width: number; height: number } | null = null;
  for (let at = 12; at + 8 <= bytes.length;) {
    const name = textAt(bytes, at, at + 4);
    const data = at + 8;
    if (METADATA_CHUNKS.has(name)) throw new Error("The encoded photo contains metadata");
    if (name === "VP8 ")
      size = {
        width: view.getUint16(data + 6, true) & 0x3fff,
        height: view.getUint16(data + 8, true) & 0x3fff,
      };
    if (name === "VP8L") {
      const bits = view.getUint32(data + 1, true);
      size = { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 };
    }
    const length = view.getUint32(at + 4, true);
    at = data + length + (length % 2);
  }
  if (!size) throw new Error("The encoded photo has no image");
  return size;
}

const unreadable = () => new DomainError("photo_refused", PHOTO_UNREADABLE);

/**
 * Codes of the Images binding for a file that is too large, no image, or broken. Others, such as a timeout or our quota,
 * may pass: the browser then tries again.
 */
const UNREADABLE: ReadonlySet<unknown> = new Set([9402, 9412, 9413, 9520, 9523]);

/** @throws DomainError photo_refused, or the error itself if it says nothing about the file */
function refuseUnreadable(error: unknown): never {
  if (!UNREADABLE.has((error as Partial<ImagesError>).code)) throw error;
  log("info", "photo_unreadable", { error });
  throw unreadable();
}

export type EncodedPhoto = { width: number; height: number; files: Record<PhotoSize, Uint8Array> };

/**
 * Encodes a photo as WebP, in both sizes. The result contains pixels only: no metadata, and nothing that was hidden
 * behind the image.
 * @throws DomainError photo_refused; errors of Images
 */
export async function encodePhoto(images: ImagesBinding, bytes: Uint8Array): Promise<EncodedPhoto> {
  if (bytes.length === 0)
    throw new DomainError("photo_refused", "That file is empty. Please choose another.");
  if (!sniffPhoto(bytes)) throw unreadable();
  const stream = () => new Blob([bytes as Uint8Array<ArrayBuffer>]).stream();
  // Check the header only, so that a decompression bomb never reaches the decoder.
  const info = await images.info(stream()).catch(refuseUnreadable);
  if (!("width" in info)) throw unreadable();
  if (info.width * info.height > MAX_PIXELS)
    throw new DomainError("photo_refused", "That photo has too many pixels. Please choose a smaller one.");
  const encode = async (side: number) => {
    const result = await images
      .input(stream())
      .transform({ width: side, height: side, fit: "scale-down" })
      .output({ format: "image/webp", quality: 80, anim: false })
      .catch(refuseUnreadable);
    return new Uint8Array(await result.response().arrayBuffer());
  };
  const [small, large] = [await encode(PHOTO_SIZES.small), await encode(PHOTO_SIZES.large)];
  readWebp(small);
  return { ...readWebp(large), files: { small, large } };
}
