import { mergeAdjacentTexts, type SegmentPiece, type Segment } from '../../domain/segment.js';

const RESERVED = /[\\/<>{}[\]]/g;
/**
 * Escaping has no effect on these: they are output as marks of untranslated words or not at all, or make a stage hang
 * (`^`).
 */
const MARKS = /[*@#+~^$]/g;
/**
 * One escaped character, one blank in brackets, the mark of a word that was unknown or could not be generated, or text.
 */
const TOKEN = /\\(?<escaped>[^])|\[(?<blank>[^\]]*)\]|(?<mark>[*@#])|(?<text>[^\\[*@#]+)/gy;
const BLANK = /^(?<kind>[ocxs])(?<number>\d+)$/;

/** Converts a segment to Apertium's input. Markers are superblanks, which pass through unchanged. */
export function toStream(segment: Segment): string {
  return segment.map(pieceToStream).join('');
}

function pieceToStream(piece: SegmentPiece): string {
  if (typeof piece === 'string')
    return piece
      .replace(/\0/g, '')
      .replace(RESERVED, String.raw`\$&`)
      .replace(MARKS, (sign) => `[s${sign.charCodeAt(0)}]`);
  if ('open' in piece) return `[o${piece.open}]`;
  return 'close' in piece ? `[c${piece.close}]` : `[x${piece.opaque}]`;
}

/**
 * Parses an answer: its pieces, and the number of unknown words, which stay unchanged. Spaces left by a moved word are
 * joined. Undefined if it is not an answer to such a text.
 */
export function fromStream(answer: string): { readonly segment: Segment; readonly unknownWords: number } | undefined {
  const pieces: SegmentPiece[] = [];
  let unknownWords = 0;
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < answer.length) {
    const groups = TOKEN.exec(answer)?.groups;
    if (groups === undefined) return undefined;
    if (groups['mark'] !== undefined) unknownWords += groups['mark'] === '#' ? 0 : 1;
    else if (groups['blank'] === undefined)
      pieces.push(groups['escaped'] ?? groups['text']?.replace(/ {2,}/g, ' ') ?? '');
    else if (groups['blank'] !== '') {
      const piece = blankToPiece(groups['blank']);
      if (piece === undefined) return undefined;
      pieces.push(piece);
    }
  }
  return { segment: mergeAdjacentTexts(pieces), unknownWords };
}

/** Starts an answer in lower case if its text does: Apertium treats every text as a whole sentence. */
export function beginningLike(asked: Segment, answer: Segment): Segment {
  const isSmall = /^[^\p{L}]*\p{Ll}/u.test(wordsOf(asked));
  // A word in capitals, such as an abbreviation, keeps them everywhere.
  if (!isSmall || !/^[^\p{L}]*\p{Lu}(?!\p{Lu})/u.test(wordsOf(answer))) return answer;
  const first = answer.findIndex((piece) => typeof piece === 'string' && /\p{L}/u.test(piece));
  return answer.map((piece, at) =>
    at === first && typeof piece === 'string' ? piece.replace(/\p{L}/u, (letter) => letter.toLowerCase()) : piece,
  );
}

function wordsOf(segment: Segment): string {
  return segment.filter((piece) => typeof piece === 'string').join('');
}

function blankToPiece(blank: string): SegmentPiece | undefined {
  const { kind, number } = BLANK.exec(blank)?.groups ?? {};
  if (kind === undefined) return undefined;
  if (kind === 's') return String.fromCharCode(Number(number));
  return kind === 'o'
    ? { open: Number(number) }
    : kind === 'c'
      ? { close: Number(number) }
      : { opaque: Number(number) };
}
