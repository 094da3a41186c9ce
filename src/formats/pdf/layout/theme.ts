import type { Color, HintStyle } from '../../document/types.js';

/** A4 in points, and its content area. */
export const SHEET = { width: 595.28, height: 841.89, left: 56, top: 60, bottom: 66 } as const;
export const CONTENT_WIDTH = SHEET.width - 2 * SHEET.left;
export const CONTENT_HEIGHT = SHEET.height - SHEET.top - SHEET.bottom;

export const BODY_SIZE = 10;
export const SMALL_SIZE = 8.5;
export const CODE_SIZE = 8.5;
/** Line height as a multiple of the text size. */
export const LEADING = 1.5;
/** Space between blocks. */
export const BLOCK_GAP = 8;
/** Minimum width of content, whatever contains it. */
export const MIN_WIDTH = 140;

export const INK = '#1d2433';
export const GREY = '#667085';
export const PALE = '#d0d5dd';
export const SHADE = '#f4f5f7';
export const LINK = '#2459c9';
export const ACCENT = '#346ddb';

export const HINTS: Readonly<
  Record<HintStyle, { readonly edge: string; readonly ground: string; readonly sign: string }>
> = {
  info: { edge: '#346ddb', ground: '#eef3fd', sign: 'i' },
  success: { edge: '#1f9d63', ground: '#ebf7f1', sign: '✓' },
  warning: { edge: '#d98b06', ground: '#fdf6e7', sign: '!' },
  danger: { edge: '#d1373f', ground: '#fdeeee', sign: '!' },
};

const TEXT_COLORS: Partial<Record<Color, string>> = {
  green: '#1b8754',
  blue: '#2459c9',
  red: '#c4303a',
  orange: '#c05a0c',
  yellow: '#927006',
  purple: '#7a3fc4',
  pink: '#b8358a',
  violet: '#6b45d6',
  cyan: '#127a92',
  $tint: '#2459c9',
  $primary: '#2459c9',
  $info: '#2459c9',
  $success: '#1b8754',
  $warning: '#b26f05',
  $danger: '#c4303a',
};

const GROUND_COLORS: Partial<Record<Color, string>> = {
  green: '#dcf3e6',
  blue: '#dfe9fc',
  red: '#fbdfe0',
  orange: '#fce6d5',
  yellow: '#fbf1c8',
  purple: '#ecdff9',
  pink: '#f9dcee',
  violet: '#e6defb',
  cyan: '#d7f0f5',
  $tint: '#dfe9fc',
  $primary: '#dfe9fc',
  $info: '#dfe9fc',
  $success: '#dcf3e6',
  $warning: '#fbeccb',
  $danger: '#fbdfe0',
};

export const textColor = (color: Color | undefined): string | undefined => color && TEXT_COLORS[color];
export const groundColor = (color: Color | undefined): string | undefined => color && GROUND_COLORS[color];
