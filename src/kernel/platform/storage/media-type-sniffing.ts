import { extname } from 'node:path';
import { fileTypeFromBuffer } from 'file-type';
import { imageSize } from 'image-size';

const SVG_HEAD_BYTES = 64 * 1024;
const MAX_DIMENSION = 1_000_000;
/** Types whose header contains the dimensions. */
const MEASURED = new Set([
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/svg+xml',
  'image/avif',
  'image/heic',
  'image/bmp',
  'image/x-icon',
]);

const TEXT_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.csv': 'text/csv',
  '.htm': 'text/html',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.markdown': 'text/markdown',
  '.md': 'text/markdown',
  '.mjs': 'text/javascript',
  '.svg': 'image/svg+xml',
  '.xhtml': 'application/xhtml+xml',
  '.xml': 'application/xml',
  '.yaml': 'application/yaml',
  '.yml': 'application/yaml',
};

/**
 * Determines the media type of a file by its first bytes; the name decides only among kinds of text. The type is
 * `application/octet-stream` if neither is conclusive.
 */
export async function sniffType(head: Buffer, name: string): Promise<string> {
  const text = textOf(head);
  if (text !== undefined && isSvg(text)) return 'image/svg+xml';
  const known = await fileTypeFromBuffer(head).catch(() => undefined);
  if (known) return known.mime;
  if (text === undefined) return 'application/octet-stream';
  if (isHtml(text)) return 'text/html';
  return TEXT_TYPES[extname(name).toLowerCase()] ?? 'text/plain';
}

/** Types that a browser may execute as a document or script. */
const ACTIVE =
  /^(?:text\/(?:html|xml|javascript|ecmascript)|application\/(?:xhtml\+xml|xml|javascript|ecmascript|x-javascript)|image\/svg\+xml)$/;

/**
 * Determines the media type of a file that its sender calls `claimed`. Bytes that are an image, or a type that browsers
 * execute, have that type, and a claim of such a type must match the bytes; for everything else, such as kinds of text,
 * the claim is used.
 */
export async function settledType(head: Buffer, claimed: string): Promise<string> {
  const type = claimed.toLowerCase();
  const sniffed = await sniffType(head, '');
  if (sniffed === type || (sniffed === 'text/plain' && !MEASURED.has(type))) return claimed;
  if (sniffed === 'application/xml' && /[+/]xml$/.test(type) && !MEASURED.has(type)) return claimed;
  if (sniffed === 'application/octet-stream') return MEASURED.has(type) || ACTIVE.test(type) ? sniffed : claimed;
  return [sniffed, type].some((each) => each.startsWith('image/') || ACTIVE.test(each)) ? sniffed : claimed;
}

/**
 * Width and height in pixels as a viewer shows them, read from the header alone: the image is never decoded, so false
 * dimensions cost nothing. Undefined if the header does not contain them.
 */
export function dimensionsOf(head: Buffer, contentType: string): { width: number; height: number } | undefined {
  if (!MEASURED.has(contentType)) return undefined;
  try {
    const found = imageSize(contentType === 'image/svg+xml' ? head.subarray(0, SVG_HEAD_BYTES) : head);
    const [width, height] = (found.orientation ?? 1) >= 5 ? [found.height, found.width] : [found.width, found.height];
    return isDimension(width) && isDimension(height)
      ? { width: Math.round(width), height: Math.round(height) }
      : undefined;
  } catch {
    return undefined;
  }
}

function isDimension(value: number): boolean {
  return Number.isFinite(value) && value >= 1 && value <= MAX_DIMENSION;
}

/** Control characters that texts contain: white space and the escape of terminals; those above ASCII are harmless. */
const isUsual = (code: number): boolean => (code >= 9 && code <= 13) || code === 27 || code >= 127;

/** The beginning as text, if it is UTF-8 without other control characters. */
function textOf(head: Buffer): string | undefined {
  const text = head.toString('utf8');
  // A character may be split at the end of the head.
  const whole = text.replace(/\uFFFD$/, '');
  const isText =
    !whole.includes('\uFFFD') && [...whole.matchAll(/\p{Cc}/gu)].every(([control]) => isUsual(control.charCodeAt(0)));
  return isText ? whole : undefined;
}

/** Removes everything that may precede the first element: byte order mark, declaration, comments, document type. */
function fromFirstElement(text: string): string {
  let rest = text.replace(/^\uFEFF/, '');
  for (;;) {
    rest = rest.trimStart();
    const end = rest.startsWith('<?')
      ? endOf(rest, '?>')
      : rest.startsWith('<!--')
        ? endOf(rest, '-->')
        : /^<!doctype/i.test(rest)
          ? endOf(rest, '>')
          : 0;
    if (end === 0) return rest;
    rest = rest.slice(end);
  }
}

function endOf(text: string, mark: string): number {
  const at = text.indexOf(mark);
  return at < 0 ? text.length : at + mark.length;
}

function isSvg(text: string): boolean {
  return /^<(?:[A-Za-z_][\w.-]*:)?svg[\s>/]/.test(fromFirstElement(text.slice(0, SVG_HEAD_BYTES)));
}

function isHtml(text: string): boolean {
  const start = text.slice(0, SVG_HEAD_BYTES);
  const content = fromFirstElement(start);
  const prolog = start.slice(0, start.length - content.length);
  return /<!doctype\s+html/i.test(prolog) || /^<(html|head|body|script|iframe|style|title)[\s>/]/i.test(content);
}
