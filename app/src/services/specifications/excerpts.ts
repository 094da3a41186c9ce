const AROUND = 2;
const MOST_LINES = 12;
const MOST_WIDTH = 200;

const cut = (line: string): string => (line.length > MOST_WIDTH ? `${line.slice(0, MOST_WIDTH)}…` : line);

/** The lines around one of a text, with their numbers; the line itself is marked. */
export function excerptAround(text: string, line: number | undefined): string | undefined {
  if (line === undefined) return undefined;
  const lines = text.split(/\r\n?|\n/);
  if (line > lines.length) return undefined;
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

/** The value at a JSON pointer, or at the nearest place above it that there is. */
export function excerptAt(value: unknown, pointer: string | undefined): string | undefined {
  if (pointer === undefined || value === undefined) return undefined;
  let found: unknown = value;
  for (const part of pointer.split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) break;
    found = (found as Record<string, unknown>)[name];
  }
  const lines = JSON.stringify(found, null, 2).split('\n');
  const shown = lines.slice(0, MOST_LINES).map(cut);
  return [...shown, ...(lines.length > MOST_LINES ? ['…'] : [])].join('\n');
}
