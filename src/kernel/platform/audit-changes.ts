const MAX_LENGTH = 300;
const MAX_ITEMS = 100;

/** One thing that was changed, as the audit log tells it; `userId` or `teamId` where it is somebody's role. */
export interface Change {
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
  readonly userId?: string;
  readonly teamId?: string;
}

/** The fields that a body gives: those of its class that it leaves out are there as well, undefined. */
export function fieldsGiven(body: object): string[] {
  return Object.entries(body).flatMap(([field, value]) => (value === undefined ? [] : [field]));
}

/** Whether a thing is as it was, field by field; what is undefined afterwards was not given. */
export function isUnchanged(before: object, after: object): boolean {
  const was = new Map<string, unknown>(Object.entries(before));
  return Object.entries(after).every(
    ([field, is]) => is === undefined || JSON.stringify(is) === JSON.stringify(was.get(field)),
  );
}

/**
 * Which of the named fields differ between two states of a thing. Only fields that may stand in the audit log may be named: no
 * secrets, no addresses of persons, no content. What is undefined afterwards was not given and stays as it is. Long texts and lists
 * are cut.
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

/** What may be told of an address, whose path and query can hold secrets. */
export function originOf(address: string | null): string | null {
  return address === null ? null : new URL(address).origin;
}

function shortened(value: unknown): unknown {
  if (value === undefined) return null;
  if (typeof value === 'string' && value.length > MAX_LENGTH) return `${value.slice(0, MAX_LENGTH)}…`;
  return Array.isArray(value) ? value.slice(0, MAX_ITEMS).map(shortened) : value;
}
