import { ApiProperty } from '@nestjs/swagger';
import { Amount, Flag, Free, Id, Nested, OneOf, Text } from '../../kernel/common/fields.js';
import type { Page } from '../../kernel/common/page.js';
import { CONFLICT_KINDS, type Conflict } from '../content/domain/conflict.js';
import { MAX_NODES } from '../../formats/document/node-kinds.js';
import { splitKey, type ItemKey, type ItemKind } from '../content/domain/content-item.js';
import { conflictInWords, type Versions } from './domain/conflict-words.js';
import { BARE_RULES, USER_RULES } from '../../identity/organizations/domain/merge-rules.js';

/** Characters of Markdown in one resolution. */
const MAX_MARKDOWN = 1_000_000;
const SIDES = ['primary', 'changed'] as const;
type Side = (typeof SIDES)[number];

export class MergeResultBody {
  @Id({ description: 'The revision that was made; with conflicts the present one of the change request' })
  revision: string;
  @OneOf(['merge', 'conflicts']) result: 'merge' | 'conflicts';
}

export class UpdateResultBody {
  @Id({ description: 'The revision that was made; with conflicts the present one of the change request' })
  revision: string;
  @OneOf(['update', 'conflicts']) result: 'update' | 'conflicts';
}

/** The result of a merge rule for a merge. */
export class MergeCheck {
  @OneOf([...BARE_RULES, ...USER_RULES.filter((rule) => rule !== 'allow_bypass'), 'custom']) rule: string;
  @Text({ description: 'The condition of the rule', example: 'There is an approval' }) title: string;
  @Flag() fulfilled: boolean;
  @Flag({ description: 'It does not bind the caller', example: false }) bypassed: boolean;
  @Text({
    optional: true,
    description: 'Why it is not fulfilled',
    example: 'nobody has approved the change request as it is now',
  })
  reason?: string;
}

export class MergeChecksBody {
  @Flag({ description: 'The rules let the caller merge; roles and conflicts are not looked at' }) allowed: boolean;
  @Nested(() => MergeCheck, { list: true, description: 'The merge rules in force, in their order' })
  rules: MergeCheck[];
}

class ConflictResolution {
  @Text({ min: 1, max: 64, description: 'The id of a conflict', example: '0123456789abcdef0123456789abcdef' })
  conflict: string;
  @OneOf(SIDES, { optional: true }) keep?: Side;
  @Free({
    optional: true,
    description: 'Blocks to stand in place of those in conflict',
    example: { object: 'document', data: {}, nodes: [] },
  })
  document?: object;
  @Text({
    optional: true,
    max: MAX_MARKDOWN,
    description: 'The same as Markdown; links are those of the page. An empty text takes the blocks away',
    example: 'Needs Node.js 20 or 22.',
  })
  markdown?: string;
}

export class UpdateRequest {
  @Id({ optional: true, description: 'The primary revision that the conflicts were compared with' }) primary?: string;
  @Nested(() => ConflictResolution, { optional: true, list: true, maxItems: 1000 }) resolutions?: ConflictResolution[];
  @OneOf(SIDES, { optional: true, description: 'The side to keep in every other conflict', example: 'changed' })
  default?: Side;
}

/** One side of a conflict: an attribute's value, a block, a list of blocks, an item, or a list of positions. */
function AnyVersion(description: string): PropertyDecorator {
  const types = [
    { type: 'object', additionalProperties: true },
    { type: 'array', items: {} },
    { type: 'string' },
    { type: 'number' },
    { type: 'boolean' },
  ];
  return ApiProperty({ description, nullable: true, oneOf: types, example: 'Installation' });
}

class ConflictWordsBody {
  @Text({ example: 'under “Guides”' }) base: string;
  @Text({ example: 'at the top' }) primary: string;
  @Text({ example: 'under “Reference”' }) changed: string;
}

class ConflictMarkdown {
  @Text({ example: 'Needs Node.js 18.\n' }) base: string;
  @Text({ example: 'Needs Node.js 20.\n' }) primary: string;
  @Text({ example: 'Needs Node.js 22.\n' }) changed: string;
}

export class ConflictBody {
  @Text({ example: '0123456789abcdef0123456789abcdef' }) id: string;
  @OneOf(CONFLICT_KINDS) kind: string;
  @Text({ description: 'The conflict in one sentence', example: 'Page “Install”: both sides changed place' })
  text: string;
  @Id({ optional: true }) page?: string;
  @Id({ optional: true }) file?: string;
  @Id({ optional: true }) reusableContent?: string;
  @Text({ optional: true, example: 'product' }) variable?: string;
  @Text({ optional: true, description: 'The slug of a tag', example: 'beta' }) tag?: string;
  @Text({ optional: true, description: 'The key of the block', example: 'AbCdEfGh01' }) block?: string;
  @Text({
    optional: true,
    list: true,
    maxItems: MAX_NODES,
    description: 'With the kind `blocks`: the keys of the blocks in whose place both sides have different ones',
    example: ['AbCdEfGh01'],
  })
  blocks?: readonly string[];
  @Text({ optional: true, example: 'title' }) attribute?: string;
  @AnyVersion('As it was when the change request was started or updated; null where it was not') base: unknown;
  @AnyVersion('As primary has it now') primary: unknown;
  @AnyVersion('As the change request has it') changed: unknown;
  @Nested(() => ConflictMarkdown, {
    optional: true,
    description: 'With the kinds `block` and `blocks`: the three versions as Markdown, empty where there are no blocks',
  })
  markdown?: ConflictMarkdown;
  @Nested(() => ConflictWordsBody, {
    optional: true,
    description: 'With the other kinds: the three versions in words',
  })
  words?: ConflictWordsBody;
}

class NextConflicts {
  @Text({ description: 'Token of the next page' }) page: string;
}

export class ConflictsBody {
  @Id({ description: 'The primary revision that was compared' }) primary: string;
  @Nested(() => ConflictBody, { list: true }) conflicts: ConflictBody[];
  @Amount({ description: 'All conflicts' }) count: number;
  @Nested(() => NextConflicts, { optional: true, description: 'Absent on the last page' }) next?: NextConflicts;
}

/** A conflict with its versions as Markdown, if they are blocks, and the titles of the items that it names. */
export interface ShownConflict extends Conflict {
  readonly markdown: Versions<string> | undefined;
  readonly titles: ReadonlyMap<ItemKey, string>;
}

/** A page of the conflicts with a primary revision, grouped by item. */
export function presentConflicts({
  primary,
  page: { items, count, next },
}: {
  primary: string;
  page: Page<ShownConflict>;
}): ConflictsBody {
  return { primary, conflicts: items.map(presentConflict), count, ...(next !== undefined && { next: { page: next } }) };
}

const FIELDS = { page: 'page', file: 'file', reusable: 'reusableContent', variable: 'variable', tag: 'tag' } as const;

function presentConflict({ titles, markdown, ...conflict }: ShownConflict): ConflictBody {
  const { id, kind, item, attribute, block, blocks, base, primary, changed } = conflict;
  const key = splitKey(item);
  const name = attribute && attributeName(key.kind, attribute);
  return {
    id,
    kind,
    ...conflictInWords(conflict, name, titles),
    [FIELDS[key.kind]]: key.id,
    ...(block !== undefined && { block }),
    ...(blocks !== undefined && { blocks }),
    ...(name !== undefined && { attribute: name }),
    base: base ?? null,
    primary: primary ?? null,
    changed: changed ?? null,
    ...(markdown && { markdown }),
  };
}

/** The name of an attribute in the interface. */
function attributeName(kind: ItemKind, attribute: string): string {
  return kind === 'tag' && attribute === 'title' ? 'label' : attribute.replace(/^props\./, '');
}

/** The result of a merge or an update. */
export interface MergeResult {
  readonly revision: string;
  readonly result: 'merge' | 'update' | 'conflicts';
}
