const WIDEST = 1920;
/** The widths of variants in pixels. */
export const VARIANT_WIDTHS: readonly number[] = [480, 960, 1440, WIDEST];
/** A variant this near to the widest one, as a share of its width, is not worth its place. */
const NEAR = 0.8;
/** Bytes of a file that has no variants. */
const SMALL_FILE = 16 * 1024;

/** Types of images of which variants are made; animations and vector graphics stay as they are. */
const STILL_TYPES = ['image/png', 'image/jpeg', 'image/webp'] as const;
export type StillType = (typeof STILL_TYPES)[number];

export function isStill(type: string): type is StillType {
  return (STILL_TYPES as readonly string[]).includes(type);
}

/** A variant of an image: its address and its width in pixels. */
export interface ImageCandidate {
  readonly src: string;
  readonly width: number;
}

/** The variants that a page offers of an image whose signed or public address is `src`, by rising width. */
export function imageCandidates(
  src: string,
  { contentType, size, width }: { readonly contentType: string; readonly size: number; readonly width: number },
): ImageCandidate[] {
  if (!isStill(contentType) || size < SMALL_FILE) return [];
  const widest = Math.min(width, WIDEST);
  const widths = [...VARIANT_WIDTHS.filter((each) => each <= widest * NEAR), widest];
  return widths.map((each) => ({ src: `${src}&width=${each}`, width: each }));
}
