/** A part of a text with personal data; `end` is the index after it. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Replaces each span of a text by a word; overlapping spans count once. */
export function replaced(text: string, spans: readonly Span[], word: string): string {
  if (spans.length === 0) return text;
  const parts: string[] = [];
  let at = 0;
  for (const { start, end } of [...spans].sort((a, b) => a.start - b.start)) {
    if (start < at) continue;
    parts.push(text.slice(at, start), word);
    at = end;
  }
  return parts.join('') + text.slice(at);
}
