import type { Type as ClassOf } from '@nestjs/common';
import { ApiExtraModels, ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { Type, type TypeHelpOptions } from 'class-transformer';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsNotEmptyObject, ValidateBy, ValidateNested } from 'class-validator';
import { invalid } from '../../kernel/common/errors.js';
import { Amount, Flag, Free, Id, Nested, OneOf, takes, Text, Url } from '../../kernel/common/fields.js';
import type { ChangeInput } from './change-input.js';
import { MAX_CHANGES } from './content-writer.js';
import { DocumentUnion } from './document-union.js';
import { isObject } from '../../formats/document/checks.js';
import type { Document } from '../../formats/document/types.js';
import { TEXT_COLORS } from '../../formats/document/data-checks.js';
import { PAGE_TAGS_EXAMPLE, PageTagBody } from './content.schema.js';
import { PAGE_TYPES, type PageType } from './domain/content-item.js';
import { MAX_PAGE_TAGS } from './domain/tag-changes.js';

/** The limit of variables in one change: all variables of a space can be set, and as many removed. */
const MAX_VARIABLES_SET = 2000;
/** Characters of Markdown in one resolution of a conflict. */
const MAX_MARKDOWN = 1_000_000;
const DOCUMENT_EXAMPLE = { object: 'document', data: { schemaVersion: 8 }, nodes: [] };
export const COMPUTED_EXAMPLE = {
  type: 'builtin:openapi',
  props: { models: true },
  dependencies: { spec: { ref: { kind: 'openapi', spec: 'petstore' } } },
};

class WrittenDocument {
  @Text({
    optional: true,
    description:
      'Relative links to pages and files that are not there are kept as they are written, and reported as broken. Addresses that would run, such as those of javascript, lose their target; their words are kept',
    example: '# Installation\n\nRun the installer.',
  })
  markdown?: string;
  @Free({ optional: true, example: DOCUMENT_EXAMPLE }) document?: Document;
}

class PageAttributesField {
  @OneOf(PAGE_TYPES, { optional: true }) type?: PageType;
  @Text({ optional: true, min: 1, max: 250, example: 'Installation' }) title?: string;
  @Text({ optional: true, max: 100, description: 'Empty: follows the title again', example: 'installation' })
  slug?: string;
  @Text({ optional: true, max: 50, description: 'Empty removes it', example: '1f680' }) emoji?: string;
  @Text({ optional: true, max: 50, description: 'Empty removes it', example: 'gear' }) icon?: string;
  @Text({ optional: true, max: 100, description: 'Shorter title for navigation', example: 'Install' })
  linkTitle?: string;
  @Text({ optional: true, max: 300, example: 'From nothing to a running server' }) description?: string;
  @Flag({ optional: true, example: false }) hidden?: boolean;
  @Flag({ optional: true, example: false }) noIndex?: boolean;
  @Flag({ optional: true, example: false }) noRobotsIndex?: boolean;
  @Text({ optional: true, max: 1024, description: 'Empty removes it', example: 'visitor.claims.isBetaUser' })
  condition?: string;
  @Free({ optional: true, nullable: true, example: { width: 'wide' } }) layout?: object | null;
  @Free({
    optional: true,
    nullable: true,
    example: { ref: { kind: 'url', url: 'https://example.com/cover.png' }, yPos: 0 },
  })
  cover?: object | null;
  @Free({ optional: true, nullable: true, example: { product: 'Bindery' } }) variables?: object | null;
  @Free({ optional: true, nullable: true, example: { canonical: { kind: 'url', url: 'https://example.com/' } } })
  metaLinks?: object | null;
  @Nested(() => PageTagBody, {
    optional: true,
    nullable: true,
    list: true,
    maxItems: MAX_PAGE_TAGS,
    description: 'All tags of the page, of those of its content; null removes them',
    example: PAGE_TAGS_EXAMPLE,
  })
  tags?: PageTagBody[] | null;
  @Free({
    optional: true,
    description: 'Target of a page of type link',
    example: { kind: 'url', url: 'https://example.com/' },
  })
  target?: object;
  @Free({ optional: true, description: 'The source of a page of type computed', example: COMPUTED_EXAMPLE })
  computed?: object;
  @Amount({
    optional: true,
    min: 0,
    max: 1_000_000,
    description: 'Index among the new siblings; the end when omitted',
    example: 0,
  })
  at?: number;
  @DocumentUnion(() => WrittenDocument, {
    optional: true,
    example: { markdown: '# Installation\n\nRun the installer.' },
  })
  document?: WrittenDocument;
}

export class InsertPage extends PageAttributesField {
  @OneOf(['insert_page']) operation: 'insert_page';
  @Text({
    optional: true,
    min: 1,
    max: 100,
    description: 'Name of the page within the batch: Markdown may link to `./<ref>.md`',
    example: 'install',
  })
  ref?: string;
  @Id({
    optional: true,
    nullable: true,
    description: 'The parent: a page, or the ref of an earlier change; the root when omitted',
  })
  into?: string | null;
}

class WriteResolution {
  @Text({ min: 1, max: 64, description: 'The id of a conflict', example: '0123456789abcdef0123456789abcdef' })
  conflict: string;
  @OneOf(['current', 'given'], { optional: true, description: 'The side to keep' }) keep?: 'current' | 'given';
  @Text({
    optional: true,
    max: MAX_MARKDOWN,
    description: 'Text to stand in place of blocks in conflict. An empty text takes them away',
    example: 'Needs Node.js 20 or 22.',
  })
  markdown?: string;
}

export class UpdatePage extends PageAttributesField {
  @OneOf(['update_page']) operation: 'update_page';
  @Id() page: string;
  @Id({
    optional: true,
    nullable: true,
    description: 'The new parent, null for the root; the page stays where it is when omitted',
  })
  into?: string | null;
  @Id({
    optional: true,
    description:
      'The revision on which `document` was written. Changes of others since then are merged with it, block by block; 409 where both changed the same block',
  })
  base?: string;
  @Nested(() => WriteResolution, {
    optional: true,
    list: true,
    maxItems: 1000,
    description: 'How the conflicts are settled that an earlier answer told of: all of them, else nothing is written',
  })
  resolutions?: WriteResolution[];
}

export class DeletePage {
  @OneOf(['delete_page']) operation: 'delete_page';
  @Id({ description: 'The page; its subpages go with it' }) page: string;
}

export class RevertPage {
  @OneOf(['revert_page']) operation: 'revert_page';
  @Id() page: string;
  @Id({ optional: true, description: 'The revision to go back to; what the change request stands on when omitted' })
  revision?: string;
  @Text({ optional: true, list: true, maxItems: 1000, description: 'Only these blocks', example: ['AbCdEfGh01'] })
  block?: string[];
}

class InsertedFile {
  @Text({
    optional: true,
    min: 1,
    max: 100,
    description: 'Name of the file within the batch: Markdown may say `./<ref>`',
    example: 'diagram',
  })
  ref?: string;
  @Text({ min: 1, max: 256, example: 'diagram.png' }) name: string;
  @Text({
    optional: true,
    max: 200,
    pattern: /^[\w.+-]+\/[\w.+-]+$/,
    description: 'Needed with base64',
    example: 'image/png',
  })
  contentType?: string;
  @Url({ optional: true, description: 'Where to fetch the file; instead of base64' }) url?: string;
  @Text({ optional: true, description: 'The bytes, at most 1 MB; instead of url', example: 'iVBORw0KGgo=' })
  base64?: string;
}

export class InsertFiles {
  @OneOf(['insert_files']) operation: 'insert_files';
  @Nested(() => InsertedFile, { list: true, minItems: 1, maxItems: 20 }) files: InsertedFile[];
}

export class UpdateFile {
  @OneOf(['update_file']) operation: 'update_file';
  @Id() file: string;
  @Text({ optional: true, min: 1, max: 256, example: 'diagram.png' }) name?: string;
  @Text({ optional: true, max: 200, pattern: /^[\w.+-]+\/[\w.+-]+$/, example: 'image/png' }) contentType?: string;
  @Url({ optional: true }) url?: string;
  @Text({ optional: true, example: 'iVBORw0KGgo=' }) base64?: string;
}

export class DeleteFiles {
  @OneOf(['delete_files']) operation: 'delete_files';
  @Id({ list: true, minItems: 1, maxItems: 1000, example: ['AbCdEfGh0123456789Xy'] }) files: string[];
}

export class InsertReusableContent {
  @OneOf(['insert_reusable_content']) operation: 'insert_reusable_content';
  @Text({ min: 1, max: 250, example: 'Support hours' }) title: string;
  @DocumentUnion(() => WrittenDocument, {
    optional: true,
    example: { markdown: '# Installation\n\nRun the installer.' },
  })
  document?: WrittenDocument;
}

export class UpdateReusableContent {
  @OneOf(['update_reusable_content']) operation: 'update_reusable_content';
  @Id() reusableContent: string;
  @Text({ optional: true, min: 1, max: 250, example: 'Support hours' }) title?: string;
  @DocumentUnion(() => WrittenDocument, {
    optional: true,
    example: { markdown: '# Installation\n\nRun the installer.' },
  })
  document?: WrittenDocument;
}

export class DeleteReusableContent {
  @OneOf(['delete_reusable_content']) operation: 'delete_reusable_content';
  @Id() reusableContent: string;
}

export class SetVariables {
  @OneOf(['set_variables']) operation: 'set_variables';
  @IsNotEmptyObject({}, { message: 'must name at least one variable' })
  @ValidateBy({
    name: 'maxNames',
    validator: {
      validate: (value: object) => Object.keys(value).length <= MAX_VARIABLES_SET,
      defaultMessage: () => `must not name more than ${MAX_VARIABLES_SET} variables`,
    },
  })
  @Free({
    description: 'Values by name (a letter, then letters, digits and underscores); null removes a variable',
    example: { product: 'Bindery' },
    schema: { minProperties: 1, maxProperties: MAX_VARIABLES_SET },
  })
  variables: Record<string, string | number | boolean | null>;
}

class TagLookField {
  @OneOf(TEXT_COLORS, { optional: true, example: 'green' }) color?: string;
  @Text({ optional: true, max: 50, description: 'Takes the place of the icon; empty removes it', example: '1f680' })
  emoji?: string;
  @Text({ optional: true, max: 50, description: 'Takes the place of the emoji; empty removes it', example: 'flask' })
  icon?: string;
}

export class InsertTag extends TagLookField {
  @OneOf(['insert_tag']) operation: 'insert_tag';
  @Text({
    optional: true,
    min: 1,
    max: 100,
    description: 'Names the tag for good; made from the label when omitted',
    example: 'beta',
  })
  slug?: string;
  @Text({ min: 1, max: 100, example: 'Beta' }) label: string;
}

export class UpdateTag extends TagLookField {
  @OneOf(['update_tag']) operation: 'update_tag';
  @Text({ min: 1, max: 100, description: 'Its slug', example: 'beta' }) tag: string;
  @Text({ optional: true, min: 1, max: 100, example: 'Public beta' }) label?: string;
}

export class DeleteTag {
  @OneOf(['delete_tag']) operation: 'delete_tag';
  @Text({ min: 1, max: 100, description: 'Its slug; no page shows it any more', example: 'beta' }) tag: string;
}

const CHANGES = {
  insert_page: InsertPage,
  update_page: UpdatePage,
  delete_page: DeletePage,
  revert_page: RevertPage,
  insert_files: InsertFiles,
  update_file: UpdateFile,
  delete_files: DeleteFiles,
  insert_reusable_content: InsertReusableContent,
  update_reusable_content: UpdateReusableContent,
  delete_reusable_content: DeleteReusableContent,
  set_variables: SetVariables,
  insert_tag: InsertTag,
  update_tag: UpdateTag,
  delete_tag: DeleteTag,
} as const satisfies Record<ChangeInput['operation'], unknown>;

const OPERATIONS = Object.keys(CHANGES);

class AnyChange {
  @OneOf(OPERATIONS) operation: ChangeInput['operation'];
}

/** The class of a change, by its operation; `AnyChange` if the operation is unknown. */
function classOfChange(change: unknown): ClassOf {
  const operation: unknown = isObject(change) ? change['operation'] : undefined;
  return typeof operation === 'string' && Object.hasOwn(CHANGES, operation)
    ? CHANGES[operation as ChangeInput['operation']]
    : AnyChange;
}

/**
 * Throws `invalid` for a change that is not an object: class-transformer would read its operation, and fail on null.
 */
function anyChange(options?: TypeHelpOptions): typeof AnyChange {
  const changes: unknown = options?.object['changes'];
  const index = Array.isArray(changes)
    ? changes.findIndex((change) => typeof change !== 'object' || change === null || Array.isArray(change))
    : -1;
  if (index >= 0) throw invalid(`changes.${index}`, 'must be an object');
  return AnyChange;
}

@ApiExtraModels(...Object.values(CHANGES))
export class WriteContent {
  @ApiProperty({
    type: 'array',
    minItems: 1,
    maxItems: MAX_CHANGES,
    description: 'Applied in order, all or none of them; one revision',
    items: {
      oneOf: Object.values(CHANGES).map((change) => ({ $ref: getSchemaPath(change) })),
      discriminator: {
        propertyName: 'operation',
        mapping: Object.fromEntries(Object.entries(CHANGES).map(([name, change]) => [name, getSchemaPath(change)])),
      },
    },
    example: [{ operation: 'insert_page', title: 'Installation', document: { markdown: 'Run the installer.' } }],
  })
  @Type(anyChange, {
    keepDiscriminatorProperty: true,
    discriminator: {
      property: 'operation',
      subTypes: Object.entries(CHANGES).map(([name, value]) => ({ name, value })),
    },
  })
  @ValidateNested({ each: true })
  @takes(classOfChange)
  @ArrayMaxSize(MAX_CHANGES)
  @ArrayMinSize(1)
  @IsArray()
  changes: ChangeInput[];
}
