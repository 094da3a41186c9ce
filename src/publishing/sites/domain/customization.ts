/** Customization as stored: top-level keys, most of them groups of leaves. */
export type Customization = Readonly<Record<string, unknown>>;

/** Top-level keys that are values of their own; every other one is a group, whose keys are values. */
const VALUES: ReadonlySet<string> = new Set(['title', 'favicon', 'announcement', 'socialAccounts']);
/** Nested groups. */
const INNER_GROUPS: ReadonlySet<string> = new Set(['styling.sidebar']);

/** Applies overrides to settings, value by value; pairs, lists and unions are values and are replaced whole. */
export function overlay<Settings extends object>(base: Settings, overrides: Customization): Settings {
  return merged(base as Customization, overrides, '', false) as Settings;
}

/** Applies a patch to stored overrides: null removes an override, absent keys keep theirs; empty groups are removed. */
export function patchOverrides(stored: Customization, patch: Customization): Customization {
  return merged(stored, patch, '', true);
}

function merged(base: Customization, changes: Customization, parent: string, removeNulls: boolean): Customization {
  const result: Record<string, unknown> = { ...base };
  for (const [key, change] of Object.entries(changes)) {
    const path = parent === '' ? key : `${parent}.${key}`;
    if (change === undefined) continue;
    if (change === null && removeNulls) delete result[key];
    else if (isGroup(path, change)) {
      const inner = merged(asGroup(result[key]), change, path, removeNulls);
      if (removeNulls && Object.keys(inner).length === 0) delete result[key];
      else result[key] = inner;
    } else result[key] = change;
  }
  return result;
}

function isGroup(path: string, value: unknown): value is Customization {
  const grouped = path.includes('.') ? INNER_GROUPS.has(path) : !VALUES.has(path);
  return grouped && typeof value === 'object' && value !== null && !Array.isArray(value);
}

function asGroup(value: unknown): Customization {
  return typeof value === 'object' && value !== null ? (value as Customization) : {};
}

/** A content reference in a customization: the path of its field, and its target. */
export interface FoundReference {
  readonly path: string;
  readonly kind: string;
  /** The space in the reference. */
  readonly space?: string;
  /** The id of the target there, or in the organization. */
  readonly id?: string;
}

/** The field with the id, by kind. */
const ID_FIELDS: Readonly<Record<string, string>> = {
  page: 'page',
  anchor: 'page',
  file: 'file',
  collection: 'collection',
  user: 'user',
  'reusable-content': 'reusableContent',
  openapi: 'spec',
};

/** All references of a customization. */
export function customizationReferences(value: unknown, path = ''): FoundReference[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => customizationReferences(item, `${path}.${index}`));
  if (typeof value !== 'object' || value === null) return [];
  const here = value as Customization;
  const { kind, space } = here;
  const own =
    typeof kind === 'string' ? [{ path, kind, ...(typeof space === 'string' && { space }), ...idOf(here, kind) }] : [];
  return [
    ...own,
    ...Object.entries(here).flatMap(([key, item]) =>
      customizationReferences(item, path === '' ? key : `${path}.${key}`),
    ),
  ];
}

function idOf(reference: Customization, kind: string): { id?: string } {
  const id = reference[ID_FIELDS[kind] ?? ''];
  return typeof id === 'string' ? { id } : {};
}
