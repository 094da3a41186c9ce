import type { Side } from './block-order.js';
import { conflictOf } from './conflict.js';
import type { PageAttributes } from './content-change.js';
import { itemKey, sameValue, type Item } from './content-item.js';

/** An attribute that two writers set to different values. */
export interface AttributeConflict {
  readonly id: string;
  readonly attribute: string;
  readonly base: unknown;
  readonly current: unknown;
  readonly given: unknown;
}

export interface MergedAttributes {
  /** The attributes that the writer has changed. */
  readonly attributes: PageAttributes;
  /** All conflicts, those that are settled among them. */
  readonly conflicts: readonly AttributeConflict[];
}

/**
 * Merges the attributes in the source of a page that was written on an earlier version: those that the writer left as
 * they were do not change.
 */
export function mergeAttributes(
  given: PageAttributes,
  base: Item,
  current: Item,
  sideOf: (conflict: string) => Side | undefined,
): MergedAttributes {
  const attributes: Record<string, unknown> = {};
  const conflicts: AttributeConflict[] = [];
  for (const [attribute, value] of Object.entries(given)) {
    const [before, now, wanted] = [valueOf(base, attribute), valueOf(current, attribute), unset(value)];
    if (sameValue(wanted, before)) continue;
    if (sameValue(now, before) || sameValue(now, wanted)) {
      attributes[attribute] = value;
      continue;
    }
    const sides = { base: before, primary: now, changed: wanted };
    const { id } = conflictOf({ kind: 'attribute', item: itemKey(current), attribute, ...sides });
    conflicts.push({ id, attribute, base: before, current: now, given: wanted });
    if (sideOf(id) === 'changed') attributes[attribute] = value;
  }
  return { attributes, conflicts };
}

function valueOf({ title, slug, type, props }: Item, attribute: string): unknown {
  const own: Readonly<Record<string, unknown>> = { title, slug, type };
  return unset(attribute in own ? own[attribute] : props[attribute]);
}

/** An attribute is absent when it is empty. */
function unset(value: unknown): unknown {
  return value === '' || value === false || value === undefined ? null : value;
}
