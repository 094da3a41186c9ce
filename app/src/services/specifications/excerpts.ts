const AROUND = 2;
const MOST_LINES = 12;
const MOST_WIDTH = 200;

const cut = (line: string): string => (line.length > MOST_WIDTH ? `${line.slice(0, MOST_WIDTH)}…` : line);

/** The lines of a text. */
export const linesOf = (text: string): readonly string[] => text.split(/\r\n?|\n/);

/** The lines around one of a text, with their numbers; the line itself is marked. */
export function excerptAround(lines: readonly string[], line: number | undefined): string | undefined {
  if (line === undefined || line > lines.length) return undefined;
  const first = Math.max(1, line - AROUND);
  const width = String(line + AROUND).length;
  return lines
    .slice(first - 1, line + AROUND)
    .map((content, index) => {
      const number = first + index;
      return `${number === line ? '›' : ' '} ${String(number).padStart(width)} ${cut(content)}`;
    })
    .join('\n');
}

/** A copy of a value that ends after so many of its parts: those that are shown, however large the value is. */
function beginningOf(value: unknown, left = { parts: MOST_LINES }): unknown {
  if (typeof value === 'string') return cut(value);
  if (typeof value !== 'object' || value === null) return value;
  const copy: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const name of Object.keys(value)) {
    if (left.parts <= 0) break;
    left.parts--;
    copy[name] = beginningOf((value as Record<string, unknown>)[name], left);
  }
  return Array.isArray(value) ? Object.values(copy) : copy;
}

/** The excerpts of values: many faults are in the same one, and to list the names in a large one takes long. */
const known = new WeakMap<object, string>();

/** The value at a JSON pointer, or at the nearest place above it that there is. */
export function excerptAt(value: unknown, pointer: string | undefined): string | undefined {
  if (pointer === undefined || value === undefined) return undefined;
  let found: unknown = value;
  for (const part of pointer.split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) break;
    found = (found as Record<string, unknown>)[name];
  }
  const excerpt = (typeof found === 'object' && found !== null && known.get(found)) || firstLines(found);
  if (typeof found === 'object' && found !== null) known.set(found, excerpt);
  return excerpt;
}

function firstLines(value: unknown): string {
  const lines = JSON.stringify(beginningOf(value), null, 2).split('\n');
  const shown = lines.slice(0, MOST_LINES).map(cut);
  return [...shown, ...(lines.length > MOST_LINES ? ['…'] : [])].join('\n');
}
