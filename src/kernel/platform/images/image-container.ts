import { crc32 } from 'node:zlib';
import type { StillType } from './image-candidates.js';

/*
 * The containers of images, read before anything is decoded: only whole still images are, since readers would see the
 * animation or the broken image of the original.
 */

/** Each scan of a progressive JPEG is a pass over all pixels, so that a small file could take minutes. */
const MOST_SCANS = 50;
const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
const ORIENTATION_TAG = 0x0112;
const MOST_TAGS = 1000;

/**
 * Returns whether a whole still image is shown with its sides exchanged, as EXIF states; undefined for all other bytes.
 * Browsers differ in PNG that are not shown as they are stored: these are none here.
 */
export function stillImage(bytes: Buffer, type: StillType): { readonly isTurned: boolean } | undefined {
  const exif = type === 'image/png' ? pngExif(bytes) : type === 'image/jpeg' ? jpegExif(bytes) : webpExif(bytes);
  const orientation = exif && orientationOf(exif);
  if (orientation === undefined || (type === 'image/png' && orientation !== 1)) return undefined;
  return { isTurned: orientation >= 5 };
}

const NO_EXIF = Buffer.alloc(0);

/** EXIF, empty if there is none; undefined for an image that is not whole, or animated. */
function pngExif(bytes: Buffer): Buffer | undefined {
  if (!bytes.subarray(0, PNG_SIGNATURE.length).equals(PNG_SIGNATURE)) return undefined;
  let exif: Buffer = NO_EXIF;
  for (let at = PNG_SIGNATURE.length; at + 12 <= bytes.length;) {
    const length = bytes.readUInt32BE(at);
    const end = at + 12 + length;
    if (end > bytes.length || crc32(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4)) return undefined;
    const name = bytes.toString('latin1', at + 4, at + 8);
    if (name === 'acTL') return undefined;
    if (name === 'eXIf') exif = bytes.subarray(at + 8, end - 4);
    if (name === 'IEND') return exif;
    at = end;
  }
  return undefined;
}

/** Markers without a length behind them. */
const isLoneMarker = (code: number): boolean => code === 0x01 || (code >= 0xd0 && code <= 0xd7);

function jpegExif(bytes: Buffer): Buffer | undefined {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return undefined;
  let exif: Buffer = NO_EXIF;
  let scans = 0;
  for (let at = 2; at + 2 <= bytes.length;) {
    const marker = bytes[at + 1] ?? 0;
    if (bytes[at] !== 0xff) return undefined;
    if (marker === 0xff) at += 1;
    else if (isLoneMarker(marker)) at += 2;
    else if (marker === 0xd9) return scans === 0 ? undefined : exif;
    else {
      if (at + 4 > bytes.length) return undefined;
      const end = at + 2 + bytes.readUInt16BE(at + 2);
      if (marker === 0xe1 && bytes.toString('latin1', at + 4, at + 10) === 'Exif\0\0')
        exif = bytes.subarray(at + 10, end);
      if (marker === 0xda && ++scans > MOST_SCANS) return undefined;
      at = marker === 0xda ? endOfScan(bytes, end) : end;
    }
  }
  return undefined;
}

/** The position of the marker behind the coded pixels, in which 0xFF is followed by 0 or is a restart. */
function endOfScan(bytes: Buffer, begin: number): number {
  for (let at = bytes.indexOf(0xff, begin); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1] ?? 0;
    if (next !== 0 && next !== 0xff && !isLoneMarker(next)) return at;
  }
  return bytes.length;
}

function webpExif(bytes: Buffer): Buffer | undefined {
  if (bytes.length < 20 || bytes.toString('latin1', 0, 4) !== 'RIFF' || bytes.toString('latin1', 8, 12) !== 'WEBP')
    return undefined;
  const size = 8 + bytes.readUInt32LE(4);
  if (size > bytes.length) return undefined;
  let exif: Buffer = NO_EXIF;
  for (let at = 12; at + 8 <= size;) {
    const name = bytes.toString('latin1', at, at + 4);
    const end = at + 8 + bytes.readUInt32LE(at + 4);
    if (end > size || name === 'ANIM') return undefined;
    if (name === 'EXIF') exif = bytes.subarray(at + 8, end);
    at = end + (end % 2);
  }
  return exif;
}

/** The orientation in EXIF, from 1 (as stored) to 8; 1 if there is none. EXIF is a TIFF of either byte order. */
function orientationOf(exif: Buffer): number {
  const order = exif.toString('latin1', 0, 2);
  if (exif.length < 8 || (order !== 'II' && order !== 'MM')) return 1;
  const short = (at: number): number =>
    at + 2 > exif.length ? 0 : order === 'II' ? exif.readUInt16LE(at) : exif.readUInt16BE(at);
  const first = order === 'II' ? exif.readUInt32LE(4) : exif.readUInt32BE(4);
  for (let tag = 0; tag < Math.min(short(first), MOST_TAGS); tag++) {
    const at = first + 2 + tag * 12;
    if (short(at) !== ORIENTATION_TAG) continue;
    const value = short(at + 8);
    return value >= 1 && value <= 8 ? value : 1;
  }
  return 1;
}
