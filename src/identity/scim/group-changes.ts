import { maxLength } from 'class-validator';
import { invalid } from '../../kernel/common/errors.js';
import { TEAM_TITLE } from '../teams/teams.schema.js';
import { comparisonsOf } from './scim-filter.js';
import { MAX_PATH } from './user-attributes.js';

/** The changes that a PATCH makes to a group; `members` in the order of the operations. */
export interface GroupChanges {
  readonly displayName?: string;
  readonly externalId?: string | null;
  /** All members are removed before the others are added. */
  readonly clears: boolean;
  readonly add: ReadonlySet<string>;
  readonly remove: ReadonlySet<string>;
}

interface Draft {
  displayName?: string;
  externalId?: string | null;
  clears: boolean;
  readonly add: Set<string>;
  readonly remove: Set<string>;
}

const MEMBER_PATH = /^members\[(.*)\]$/is;

/**
 * Reads the operations of a PATCH on a group (RFC 7644, section 3.5.2) without the members that it has: groups may be
 * large. Throws `invalid` with the path of an operation that does not apply to groups.
 */
export function groupChanges(operations: readonly object[]): GroupChanges {
  const draft: Draft = { clears: false, add: new Set(), remove: new Set() };
  operations.forEach((given, index) => {
    const { op, path, value } = given as { op?: unknown; path?: unknown; value?: unknown };
    const at = `Operations.${index}`;
    const kind = typeof op === 'string' ? op.toLowerCase() : '';
    if (kind !== 'add' && kind !== 'remove' && kind !== 'replace')
      throw invalid(`${at}.op`, 'must be add, remove or replace');
    if (path !== undefined && (typeof path !== 'string' || path.length > MAX_PATH))
      throw invalid(`${at}.path`, `must be a text of at most ${MAX_PATH} characters`);
    if (path !== undefined) return apply(draft, kind, path, value, at);
    if (kind === 'remove') throw invalid(`${at}.path`, 'is required for remove');
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw invalid(`${at}.value`, 'must be an object without a path');
    for (const [name, each] of Object.entries(value)) apply(draft, kind, name, each, at);
  });
  return draft;
}

function apply(draft: Draft, kind: 'add' | 'remove' | 'replace', path: string, value: unknown, at: string): void {
  const name = path.toLowerCase();
  const only = MEMBER_PATH.exec(path);
  if (only) {
    if (kind !== 'remove') throw invalid(`${at}.path`, 'a filter of members can only be removed');
    for (const { attribute, value: id } of comparisonsOf(only[1] ?? '', `${at}.path`)) {
      if (attribute !== 'value') throw invalid(`${at}.path`, 'members are named as in members[value eq "id"]');
      take(draft, id);
    }
  } else if (name === 'members') changeMembers(draft, kind, value, at);
  else if (name === 'displayname' && kind !== 'remove') draft.displayName = text(value, at, TEAM_TITLE.max);
  else if (name === 'externalid') draft.externalId = kind === 'remove' ? null : text(value, at);
  // Providers repeat the id and the schemas of what they change.
  else if (name !== 'id' && name !== 'schemas')
    throw invalid(`${at}.path`, 'must be displayName, externalId or members');
}

function changeMembers(draft: Draft, kind: 'add' | 'remove' | 'replace', value: unknown, at: string): void {
  if (kind === 'replace' || (kind === 'remove' && value === undefined)) {
    draft.clears = true;
    draft.add.clear();
    draft.remove.clear();
  }
  if (value === undefined) return;
  const members: unknown[] = Array.isArray(value) ? value : [value];
  for (const member of members) {
    const id = typeof member === 'object' && member !== null ? (member as { value?: unknown }).value : undefined;
    const known = text(id, at);
    if (kind === 'remove') take(draft, known);
    else {
      draft.remove.delete(known);
      draft.add.add(known);
    }
  }
}

function take(draft: Draft, id: string): void {
  draft.add.delete(id);
  draft.remove.add(id);
}

function text(value: unknown, at: string, max = 320): string {
  if (typeof value !== 'string' || value.trim() === '' || !maxLength(value, max))
    throw invalid(`${at}.value`, `must be a text of at most ${max} characters`);
  return value;
}
