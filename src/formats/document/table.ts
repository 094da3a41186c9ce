import type { Block, ContentRef, Fragment, TableRecord, TableValue } from './types.js';

export type Table = Block<'table'>;

/** Maximum number of stars shown. */
const MOST_STARS = 10;

const fragments = new WeakMap<Table, ReadonlyMap<string, Fragment>>();

/** Finds a fragment by name without a scan of all fragments: tables have one for every cell. */
export function fragmentOf(table: Table, name: string): Fragment | undefined {
  let known = fragments.get(table);
  if (!known) {
    known = new Map(
      (table.fragments ?? [])
        .toReversed()
        .flatMap((each) => (each.fragment === undefined ? [] : [[each.fragment, each] as const])),
    );
    fragments.set(table, known);
  }
  return known.get(name);
}

/** The rows of a table in their order. */
export function recordsOf({ data }: Table): TableRecord[] {
  return Object.values(data.records).sort((a, b) =>
    a.orderIndex < b.orderIndex ? -1 : a.orderIndex > b.orderIndex ? 1 : 0,
  );
}

/** The ids or options in a cell. */
export function namesOf(value: TableValue): string[] {
  return Array.isArray(value) ? value : typeof value === 'string' && value !== '' ? [value] : [];
}

/** The number of stars of a rating, and their maximum. */
export function starsOf(value: TableValue, max: number): readonly [given: number, most: number] {
  const most = Math.min(MOST_STARS, Math.max(1, Math.floor(max) || 1));
  return [Math.min(most, Math.max(0, Math.round(Number(value)) || 0)), most];
}

/** The image of a cell: a reference, a file or an image with its details. */
export function imageOf(
  value: TableValue | undefined,
): { ref: Extract<ContentRef, { kind: 'file' | 'url' }>; alt: string; fit?: string } | undefined {
  if (Array.isArray(value))
    return value[0] === undefined ? undefined : { ref: { kind: 'file', file: value[0] }, alt: '' };
  if (typeof value !== 'object' || value === null) return undefined;
  if ('ref' in value)
    return { ref: value.ref, alt: value.alt ?? '', ...(value.objectFit !== undefined && { fit: value.objectFit }) };
  return value.kind === 'file' || value.kind === 'url' ? { ref: value, alt: '' } : undefined;
}
