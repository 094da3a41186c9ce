import { workerTask } from '../workers/worker-task.js';
import type { StillType } from './image-candidates.js';
import { stillImage } from './image-container.js';

/* Decoding and encoding images, as functions that any thread can run. */

/** Pixels of an image that is decoded, each of which takes four bytes of memory. */
const MOST_PIXELS = 40_000_000;
/** Pixels on one side of a WebP. */
const MOST_ON_A_SIDE = 16_383;
const SECONDS = 20;
const WEBP_QUALITY = 80;
/** Smaller and closer to the original than that WebP, at three to five times its cost. */
const AVIF = { quality: 60, speed: 8, threads: 1 };

export type VariantFormat = 'avif' | 'webp';

export interface ResizeOrder {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly type: StillType;
  /** In pixels; an image that is narrower keeps its width. */
  readonly width: number;
  readonly format: VariantFormat;
}

/** Returns an image of that width in that format; undefined for bytes that are no whole still image, or too many pixels. */
export async function resizeImage({ bytes, type, width, format }: ResizeOrder): Promise<Uint8Array | undefined> {
  const still = stillImage(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), type);
  if (!still) return undefined;
  const { createCanvas, Image } = await import('@napi-rs/canvas');
  const image = new Image();
  try {
    image.src = bytes;
    const { width: across, height: down } = image;
    if (!(across > 0) || !(down > 0) || across * down > MOST_PIXELS) return undefined;
    const [shownWidth, shownHeight] = still.isTurned ? [down, across] : [across, down];
    const scale = Math.min(1, width / shownWidth);
    const size = [shownWidth, shownHeight].map((side) => Math.max(1, Math.round(side * scale))) as [number, number];
    if (Math.max(...size) > MOST_ON_A_SIDE) return undefined;
    const canvas = createCanvas(...size);
    const context = canvas.getContext('2d');
    context.imageSmoothingQuality = 'high';
    // The decoder has turned the pixels, although it tells the sides as they are stored.
    context.drawImage(image, 0, 0, ...size);
    const isComplete = isDecoded(canvas.data(), type === 'image/jpeg');
    const encoded = !isComplete
      ? undefined
      : format === 'webp'
        ? canvas.encodeSync('webp', WEBP_QUALITY)
        : canvas.encodeSync('avif', AVIF);
    canvas.width = canvas.height = 1;
    return encoded && Uint8Array.from(encoded);
  } catch {
    return undefined;
  } finally {
    // Pixels live outside of the memory of JavaScript, whose collector would come for them late.
    image.src = Buffer.alloc(0);
  }
}

/** Pixels that could not be decoded stay transparent, without an error. */
function isDecoded(pixels: Buffer, isOpaque: boolean): boolean {
  for (let at = 3; at < pixels.length; at += 4) {
    if (isOpaque && pixels[at] !== 255) return false;
    if (!isOpaque && pixels[at] !== 0) return true;
  }
  return isOpaque;
}

export const RESIZE_IMAGE = workerTask(import.meta.url, resizeImage, {
  size: () => Number.POSITIVE_INFINITY,
  seconds: SECONDS,
  threads: 'images',
});
