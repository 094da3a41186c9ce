/** A colour in sRGB, each part from 0 to 1. */
export interface RgbColor {
  readonly red: number;
  readonly green: number;
  readonly blue: number;
}

type Lab = readonly [lightness: number, a: number, b: number];

/** Minimum contrast of text according to WCAG 2.2 (level AA). */
export const READABLE = 4.5;

/** Parses `#rgb` and `#rrggbb`, the forms that the settings of a site allow; anything else is black. */
export function parseColor(text: string): RgbColor {
  const digits = text.replace('#', '');
  const full = digits.length === 3 ? [...digits].map((digit) => digit + digit).join('') : digits;
  const part = (start: number): number => (Number.parseInt(full.slice(start, start + 2), 16) || 0) / 255;
  return { red: part(0), green: part(2), blue: part(4) };
}

export function hexOf({ red, green, blue }: RgbColor): string {
  return `#${[red, green, blue]
    .map((part) =>
      Math.round(clamp(part) * 255)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`;
}

/** The contrast ratio of two colours as WCAG 2.2 defines it: from 1 to 21. */
export function contrast(one: RgbColor, other: RgbColor): number {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

/** Mixes a share of `other` (0 to 1) into `base`, in OKLab, where steps look even. */
export function mix(base: RgbColor, other: RgbColor, amount: number): RgbColor {
  const [from, to] = [toLab(base), toLab(other)];
  const between = (index: 0 | 1 | 2): number => from[index] + (to[index] - from[index]) * amount;
  return shown(fromLab([between(0), between(1), between(2)]));
}

/** A colour rounded to eight bits a part, as it is written: contrasts must be sufficient then. */
function shown(color: RgbColor): RgbColor {
  return parseColor(hexOf(color));
}

/** The nearest colour that is readable on all of the backgrounds: only its lightness changes, as little as needed. */
export function readableOn(color: RgbColor, backgrounds: readonly RgbColor[], ratio = READABLE): RgbColor {
  const suffices = (candidate: RgbColor): boolean =>
    backgrounds.every((background) => contrast(candidate, background) >= ratio);
  if (suffices(color)) return color;
  const [lightness, a, b] = toLab(color);
  const least = (end: RgbColor): number => Math.min(...backgrounds.map((background) => contrast(end, background)));
  const isOnDark = least(WHITE) >= least(BLACK);
  const end = isOnDark ? 1 : 0;
  for (let step = 1; step <= 50; step++) {
    const share = step / 50;
    const candidate = shown(
      fromLab([lightness + (end - lightness) * share, a * (1 - share * share), b * (1 - share * share)]),
    );
    if (suffices(candidate)) return candidate;
  }
  return isOnDark ? WHITE : BLACK;
}

export const WHITE: RgbColor = { red: 1, green: 1, blue: 1 };
export const BLACK: RgbColor = { red: 0, green: 0, blue: 0 };

/** White, or else nearly black or black: the first that is readable on the colour. One of them always is. */
export function textOn(background: RgbColor): RgbColor {
  const dark = parseColor('#121217');
  return [WHITE, dark].find((color) => contrast(color, background) >= READABLE) ?? BLACK;
}

function clamp(value: number): number {
  return Math.min(1, Math.max(0, value));
}

function toLinear(part: number): number {
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
}

function fromLinear(part: number): number {
  return part <= 0.0031308 ? part * 12.92 : 1.055 * part ** (1 / 2.4) - 0.055;
}

function luminance({ red, green, blue }: RgbColor): number {
  return 0.2126 * toLinear(red) + 0.7152 * toLinear(green) + 0.0722 * toLinear(blue);
}

/** sRGB to OKLab (Björn Ottosson, "A perceptual color space for image processing", 2020). */
function toLab(color: RgbColor): Lab {
  const [r, g, b] = [toLinear(color.red), toLinear(color.green), toLinear(color.blue)];
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

function fromLab([lightness, a, b]: Lab): RgbColor {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return {
    red: clamp(fromLinear(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s)),
    green: clamp(fromLinear(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s)),
    blue: clamp(fromLinear(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s)),
  };
}
