import { beginningOf, storable } from '../../../document/characters.js';

/** The effects of a change on clients, most harmful first; `dangerous`: clients that are strict or do not expect it break. */
export const CHANGE_EFFECTS = ['breaking', 'dangerous', 'compatible', 'documentation'] as const;
export type ChangeEffect = (typeof CHANGE_EFFECTS)[number];

/** The part of a specification that a change is about; a specification as a whole if all are undefined. */
export interface ChangeSubject {
  readonly operation?: { readonly method: string; readonly path: string };
  readonly webhook?: { readonly method: string; readonly name: string };
  /** The name of a schema that several operations may share. */
  readonly schema?: string;
}

/** A difference between two versions of a specification. */
export interface SpecificationChange extends ChangeSubject {
  readonly effect: ChangeEffect;
  /** Kind of the change, such as `property-removed`. */
  readonly code: string;
  /** The place inside of the subject, such as `response 200, items[].name`. */
  readonly place?: string;
  readonly message: string;
  /** JSON pointer in the newer version; in the older one for something that was removed. */
  readonly pointer: string;
}

export type ChangeCounts = Readonly<Record<ChangeEffect, number>>;

/** The changes between two versions: the most harmful ones, and the number of all of them. */
export interface FoundChanges {
  readonly changes: readonly SpecificationChange[];
  readonly counts: ChangeCounts;
}

const MAX_MESSAGE = 500;
const MAX_NAME = 300;

const rankOf = ({ effect }: SpecificationChange): number => CHANGE_EFFECTS.indexOf(effect);

/** Gathers changes; one that is found several times, such as in requests and in responses, counts once, as its worst. */
export class ChangeList {
  private readonly byPlace = new Map<string, SpecificationChange>();

  add(change: SpecificationChange): void {
    const kept = bounded(change);
    const key = `${change.code} ${change.pointer} ${kept.message}`;
    const known = this.byPlace.get(key);
    if (!known || rankOf(kept) < rankOf(known)) this.byPlace.set(key, kept);
  }

  /** All changes by their effects, at most `most` of them. */
  result(most: number): FoundChanges {
    const all = [...this.byPlace.values()];
    const counts = { breaking: 0, dangerous: 0, compatible: 0, documentation: 0 };
    for (const { effect } of all) counts[effect]++;
    return { changes: all.sort((one, other) => rankOf(one) - rankOf(other)).slice(0, most), counts };
  }
}

function bounded(change: SpecificationChange): SpecificationChange {
  const { message, place, pointer, operation, webhook, schema } = change;
  return {
    ...change,
    message: shortened(message, MAX_MESSAGE),
    pointer: shortened(pointer, 2 * MAX_NAME),
    ...(place !== undefined && { place: shortened(place, MAX_NAME) }),
    ...(operation && { operation: { ...operation, path: shortened(operation.path, MAX_NAME) } }),
    ...(webhook && { webhook: { ...webhook, name: shortened(webhook.name, MAX_NAME) } }),
    ...(schema !== undefined && { schema: shortened(schema, MAX_NAME) }),
  };
}

/** Names in a specification may have what the database cannot store. */
function shortened(text: string, most: number): string {
  return storable(text.length <= most ? text : `${beginningOf(text, most - 1)}…`);
}

/** A value in a message. */
export function inQuotes(value: unknown): string {
  return shortened(JSON.stringify(value) ?? 'nothing', 80);
}

/** Values in a message, of which only the first are listed. */
export function quotedList(values: readonly unknown[]): string {
  const some = values.slice(0, 8).map(inQuotes).join(', ');
  return values.length > 8 ? `${some} and ${values.length - 8} more` : some;
}

/** A change as one line, such as `GET /pets (response 200): The property "name" was removed`. */
export function changeSentence({ operation, webhook, schema, place, message }: SpecificationChange): string {
  const subject = operation
    ? `${operation.method.toUpperCase()} ${operation.path}`
    : webhook
      ? `webhook ${webhook.name}`
      : (schema ?? '');
  const where = place === undefined ? subject : `${subject} (${place})`;
  return where === '' ? message : `${where}: ${message}`;
}
