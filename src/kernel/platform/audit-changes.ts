const MAX_LENGTH = 300;
const MAX_ITEMS = 100;

/** One changed object for the audit log; `userId` or `teamId` identifies the holder of a changed role. */
export interface Change {
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
  readonly userId?: string;
  readonly teamId?: string;
}

/** The fields that a body contains: omitted fields of its class are present as well, with the value undefined. */
export function fieldsGiven(body: object): string[] {
  return Object.entries(body).flatMap(([field, value]) => (value === undefined ? [] : [field]));
}

/** Tells whether an object is unchanged, field by field; fields that are undefined in the new state were not given. */
export function isUnchanged(before: object, after: object): boolean {
  const was = new Map<string, unknown>(Object.entries(before));
  return Object.entries(after).every(
    ([field, is]) => is === undefined || JSON.stringify(is) === JSON.stringify(was.get(field)),
  );
}

/**
 * Returns the named fields that differ between two states of an object. Only fields that may appear in the audit log
 * may be named: no secrets, no email addresses, no content. Fields that are undefined in the new state were not given
 * and keep their value. Long texts and lists are cut.
 */
export function changesOf<Field extends string>(
  before: Readonly<Record<Field, unknown>>,
  after: Readonly<Record<Field, unknown>>,
  fields: readonly Field[],
): Change[] {
  return fields.flatMap((field) => {
    const [was, is] = [shortened(before[field]), shortened(after[field])];
    return after[field] === undefined || JSON.stringify(was) === JSON.stringify(is)
      ? []
      : [{ field, before: was, after: is }];
  });
}

/** The part of an address that may be shown, because path and query can contain secrets. */
export function originOf(address: string | null): string | null {
  return address === null ? null : new URL(address).origin;
}

function shortened(value: unknown): unknown {
  if (value === undefined) return null;
  if (typeof value === 'string' && value.length > MAX_LENGTH) return `${value.slice(0, MAX_LENGTH)}…`;
  return Array.isArray(value) ? value.slice(0, MAX_ITEMS).map(shortened) : value;
}
