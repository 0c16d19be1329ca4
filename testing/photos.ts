/** Photos for tests, honest and hostile. */
import { crc32, deflateSync } from "node:zlib";

const text = (value: string) => new TextEncoder().encode(value);

function join(...parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((size, { length }) => size + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function uint32(...values: number[]): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(4 * values.length));
  for (const [i, value] of values.entries()) bytes.setUint32(4 * i, value);
  return new Uint8Array(bytes.buffer);
}

function chunk(name: string, data: Uint8Array): Uint8Array {
  const named = join(text(name), data);
  return join(uint32(data.length), named, uint32(crc32(named)));
}

/**
 * Returns a PNG of green stripes.
 * @param claimed the size in its header, if it lies
 */
export function pngPhoto(
  width: number,
  height: number,
  claimed = { width, height },
): Uint8Array<ArrayBuffer> {
  const row = new Uint8Array(1 + 3 * width);
  for (let x = 0; x < width; x++) row.set([40 + (x % 97), 120 + (x % 61), 50], 1 + 3 * x);
  const pixels = join(...Array.from({ length: height }, () => row));
  return join(
    new Uint8Array([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]),
    chunk("IHDR", join(uint32(claimed.width, claimed.height), new Uint8Array([8, 2, 0, 0, 0]))),
    chunk("IDAT", deflateSync(pixels)),
    chunk("IEND", new Uint8Array()),
  );
}

/** Returns an entry of an EXIF directory. */
function entry(tag: number, type: number, count: number, value: number): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(12));
  bytes.setUint16(0, tag);
  bytes.setUint16(2, type);
  bytes.setUint32(4, count);
  bytes.setUint32(8, value);
  return new Uint8Array(bytes.buffer);
}

/** Returns a letter as the value of an entry. */
const ascii = (letter: string) => letter.charCodeAt(0) * 0x1000000;

/** The camera in the metadata of `withGps`, to look for. */
export const CAMERA = "Backyard Camera 3000";

/** Returns a JPEG with EXIF metadata: its camera, and 33° 52' S, 151° 12' E. */
export function withGps(jpeg: Uint8Array): Uint8Array<ArrayBuffer> {
  const directory = (...entries: Uint8Array[]) =>
    join(new Uint8Array([0, entries.length]), ...entries, uint32(0));
  const camera = text(`${CAMERA}\0`);
  const gpsAt = 8 + 30;
  const dataAt = gpsAt + 54;
  const tiff = join(
    text("MM\0*"),
    uint32(8),
    directory(entry(0x0110, 2, camera.length, dataAt + 48), entry(0x8825, 4, 1, gpsAt)),
    directory(
      entry(1, 2, 2, ascii("S")),
      entry(2, 5, 3, dataAt),
      entry(3, 2, 2, ascii("E")),
      entry(4, 5, 3, dataAt + 24),
    ),
    uint32(33, 1, 52, 1, 0, 1, 151, 1, 12, 1, 0, 1),
    camera,
  );
  const data = join(text("Exif\0\0"), tiff);
  const head = new Uint8Array([0xff, 0xe1, (data.length + 2) >> 8, (data.length + 2) & 0xff]);
  return join(jpeg.subarray(0, 2), head, data, jpeg.subarray(2));
}

const PAGE = "<html><script>alert(1)</script></html>";

/** Returns an image that is also a web page. */
export const polyglot = (image: Uint8Array) => join(image, text(PAGE));

/** Files that are no photos, by name. */
export const NO_PHOTOS: Readonly<Record<string, Uint8Array<ArrayBuffer>>> = {
  "an SVG": text(`<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`),
  "a web page": text(PAGE),
  "a GIF": join(text("GIF89a"), new Uint8Array(40)),
  "the start of a JPEG": join(
    new Uint8Array([0xff, 0xd8, 0xff, 0xe0]),
    text("then nothing that is a picture"),
  ),
  "a HEIC without an image": join(uint32(24), text("ftypheic"), new Uint8Array(40)),
};

/** A real HEIC: 64 × 64 green pixels, encoded as HEVC by libheif. */
export const HEIC = Uint8Array.from(
  atob(
    [
      "AAAAHGZ0eXBoZWljAAAAAG1pZjFoZWljbWlhZgAAAUJtZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAA",
      "AAAAAA5waXRtAAAAAAABAAAAImlsb2MAAAAAREAAAQABAAAAAAFmAAEAAAAAAAAAGAAAACNpaW5mAAAAAAABAAAAFWluZmUC",
      "AAAAAAEAAGh2YzEAAAAAwmlwcnAAAACkaXBjbwAAAHhodmNDAQNwAAAAAAAAAAAAHvAA/P34+AAADwMgAAEAGEABDAH//wNw",
      "AAADAJAAAAMAAAMAHroCQCEAAQArQgEBA3AAAAMAkAAAAwAAAwAeoCCBBZbqSSmubgQEDAgAAAMACAAAAwAIQCIAAQAHRAHB",
      "crAiQAAAABRpc3BlAAAAAAAAAEAAAABAAAAAEHBpeGkAAAAAAwgICAAAABZpcG1hAAAAAAAAAAEAAQOBAoMAAAAgbWRhdAAA",
      "ABQoAa8EGPx5OOv/+n3P3rJ+f4R0OA==",
    ].join(""),
  ),
  (character) => character.codePointAt(0)!,
);

/** Returns whether bytes contain a text. */
export function hasText(bytes: Uint8Array, wanted: string): boolean {
  return new TextDecoder("latin1").decode(bytes).includes(wanted);
}
