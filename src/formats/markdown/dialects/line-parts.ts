/** A part of a line: text, or code between backticks. */
export interface LinePart {
  readonly code: boolean;
  readonly value: string;
}

/** Splits a line into its text and its code, in time proportional to its length. */
export function lineParts(line: string): LinePart[] {
  const runs = [...line.matchAll(/`+/g)].map(({ 0: { length }, index }) => ({ length, index }));
  const parts: LinePart[] = [];
  /** The places of the runs of each length, the last first. */
  const places = new Map<number, number[]>();
  for (const { length, index } of runs.toReversed()) {
    const known = places.get(length) ?? [];
    places.set(length, known);
    known.push(index);
  }
  let from = 0;
  for (const { length, index } of runs) {
    if (index < from) continue;
    const later = places.get(length) ?? [];
    while (later.length > 0 && (later.at(-1) ?? 0) <= index) later.pop();
    const end = later.at(-1);
    if (end === undefined) continue;
    if (index > from) parts.push({ code: false, value: line.slice(from, index) });
    parts.push({ code: true, value: line.slice(index, end + length) });
    from = end + length;
  }
  if (from < line.length) parts.push({ code: false, value: line.slice(from) });
  return parts;
}
