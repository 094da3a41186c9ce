import {
  Amount,
  Flag,
  Free,
  Id,
  Nested,
  ObjectName,
  OneOf,
  Repeated,
  Text,
  Timestamp,
  Url,
} from '../../kernel/common/fields.js';
import { PageQuery } from '../../kernel/common/page-query.js';
import { COVER_MASKS, COVER_SIZES, TEXT_COLORS } from '../../formats/document/data-checks.js';
import { EVALUATED, type Evaluated } from '../../formats/document/evaluate.js';
import { PAGE_TYPES } from './domain/content-item.js';
import type { RevisionType } from './content-lines.js';

export const REVISION_TYPES = [
  'edits',
  'merge',
  'rollback',
  'update',
  'computed',
] as const satisfies readonly RevisionType[];

/** Maximum number of pages below one: an API may have as many schemas. */
export const MAX_CHILDREN = 10_000;

class AppUrl {
  @Url() app: string;
}

class GitBlob {
  @Text({ example: '9fceb02d0ae598e95dc970b74767f19372d61af8' }) oid: string;
  @Text({ example: 'guides/install.md' }) path: string;
}

export class GitCommit {
  @Text({ example: '9fceb02d0ae598e95dc970b74767f19372d61af8' }) oid: string;
  @Text({ example: 'Explain the installation' }) message: string;
  @Flag({ example: false }) createdByGitBook: boolean;
  @Url({ optional: true }) url?: string;
  @Text({ optional: true, example: 'main' }) ref?: string;
}

class PageLayout {
  @OneOf(['default', 'wide']) width: string;
  @Flag() cover: boolean;
  @OneOf(COVER_SIZES) coverSize: string;
  @OneOf(COVER_MASKS) coverMask: string;
  @Flag() title: boolean;
  @Flag() description: boolean;
  @Flag() tableOfContents: boolean;
  @Flag() outline: boolean;
  @Flag() pagination: boolean;
  @Flag() metadata: boolean;
  @Flag() tags: boolean;
  @Flag() actions: boolean;
  @Flag({ description: 'Links to headings beside them' }) anchors: boolean;
}

class TagRef {
  @OneOf(['tag']) kind: 'tag';
  @Text({ min: 1, max: 100, description: 'The slug of the tag', example: 'beta' }) tag: string;
}

/** A tag on a page. */
export class PageTagBody {
  @Nested(() => TagRef) tag: TagRef;
  @Flag({ optional: true, description: 'The navigation shows it; one tag of a page at most' })
  primary?: boolean;
}

export const PAGE_TAGS_EXAMPLE = [{ tag: { kind: 'tag', tag: 'beta' }, primary: true }];

/** A tag of a space. */
export class TagBody {
  @Text({ description: 'Names the tag for good', example: 'beta' }) slug: string;
  @Text({ example: 'Beta' }) label: string;
  @OneOf(TEXT_COLORS, { example: 'green' }) color: string;
  @Text({ optional: true, example: '1f680' }) emoji?: string;
  @Text({ optional: true, example: 'flask' }) icon?: string;
}

/** A page of any type; its fields depend on the type. */
/** Addresses of the same page elsewhere, as published pages name them to search engines. */
export class MetaLinksBody {
  @Free({
    optional: true,
    description: 'The address that counts',
    example: { kind: 'url', url: 'https://example.com/' },
  })
  canonical?: object;
  @Free({
    optional: true,
    list: true,
    description: 'The page in other languages or variants',
    example: [{ kind: 'page', page: 'AbCdEfGh0123456789Xy' }],
  })
  alternates?: object[];
}

export class PageBody {
  @Id() id: string;
  @Text({ example: 'Installation' }) title: string;
  @Text({ optional: true, example: '1f680' }) emoji?: string;
  @Text({ optional: true, example: 'gear' }) icon?: string;
  @Timestamp({ optional: true }) createdAt?: string;
  @Timestamp({ optional: true }) updatedAt?: string;
  @OneOf(['sheet', 'group', 'link'], { optional: true }) kind?: string;
  @OneOf(PAGE_TYPES) type: string;
  @Nested(() => AppUrl, { optional: true }) urls?: AppUrl;
  @Text({ optional: true, example: 'installation' }) slug?: string;
  @Text({ optional: true, example: 'guides/installation' }) path?: string;
  @Text({ optional: true, example: 'From nothing to a running server' }) description?: string;
  @Text({ optional: true, example: 'Install', description: 'Shorter title for navigation' }) linkTitle?: string;
  @Nested(() => PageBody, { optional: true, list: true, maxItems: MAX_CHILDREN, example: [] }) pages?: PageBody[];
  @Nested(() => GitBlob, { optional: true }) git?: GitBlob;
  @Nested(() => PageLayout, { optional: true }) layout?: PageLayout;
  @Free({ optional: true, example: { ref: { kind: 'file', file: 'AbCdEfGh0123456789Xy' }, yPos: 0 } }) cover?: object;
  @Free({ optional: true, example: { product: 'Bindery' } }) variables?: object;
  @Flag({ optional: true, example: false }) hidden?: boolean;
  @Flag({ optional: true, example: false }) noIndex?: boolean;
  @Flag({ optional: true, example: false }) noRobotsIndex?: boolean;
  @Free({ optional: true, example: { canonical: { kind: 'url', url: 'https://example.com/' } } }) metaLinks?: object;
  @Nested(() => PageTagBody, { optional: true, list: true, example: PAGE_TAGS_EXAMPLE }) tags?: PageTagBody[];
  @Text({
    optional: true,
    description: 'Expression that decides who sees the page',
    example: 'visitor.claims.isBetaUser',
  })
  condition?: string;
  @Free({ optional: true, description: 'Target of a link', example: { kind: 'url', url: 'https://example.com/' } })
  target?: object;
  @Url({ optional: true }) href?: string;
  @Free({ optional: true, description: 'Source of a computed page', example: { type: 'builtin:openapi' } })
  computed?: object;
  @Text({ optional: true }) computedSeed?: string;
  @Text({ optional: true, description: 'Names the document; absent on an empty page' }) documentId?: string;
  @Free({ optional: true, example: { object: 'document', data: { schemaVersion: 8 }, nodes: [] } }) document?: object;
  @Text({ optional: true, example: '# Installation\n' }) markdown?: string;
}

export class PagesBody {
  @Nested(() => PageBody, { list: true, maxItems: MAX_CHILDREN }) pages: PageBody[];
}

class Dimensions {
  @Amount({ example: 640 }) width: number;
  @Amount({ example: 480 }) height: number;
}

export class FileBody {
  @Id() id: string;
  @Text({ example: 'diagram.png' }) name: string;
  @Text({ example: 'image/png' }) contentType: string;
  @Url() downloadURL: string;
  @Amount({ description: 'In bytes', example: 20480 }) size: number;
  @Nested(() => Dimensions, { optional: true }) dimensions?: Dimensions;
  @Nested(() => GitBlob, { optional: true }) git?: GitBlob;
}

export class ReusableContentBody {
  @Id() id: string;
  @Text({ example: 'Support hours' }) title: string;
  @Nested(() => GitBlob, { optional: true }) git?: GitBlob;
  @Text({ optional: true, description: 'Names the document; absent when it is empty' }) document?: string;
}

export class RevisionUrls {
  @Url() app: string;
  @Url({ optional: true }) published?: string;
  @Url({ optional: true }) public?: string;
}

export class RevisionBody {
  @ObjectName('revision') object: 'revision';
  @Id() id: string;
  @OneOf(REVISION_TYPES) type: string;
  @Free({ optional: true, description: 'The change request that was merged', example: { object: 'change-request' } })
  mergedFrom?: object;
  @Id({
    optional: true,
    description: 'The source of a computed revision: the revision of the translated space, or the one before',
  })
  sourceRevision?: string;
  @Id({ list: true }) parents: string[];
  @Nested(() => PageBody, { list: true, maxItems: MAX_CHILDREN }) pages: PageBody[];
  @Nested(() => FileBody, { list: true }) files: FileBody[];
  @Nested(() => ReusableContentBody, { list: true }) reusableContents: ReusableContentBody[];
  @Nested(() => TagBody, { list: true, description: 'In the order of their slugs' }) tags: TagBody[];
  @Free({ example: { product: 'Bindery' } }) variables: object;
  @Timestamp() createdAt: string;
  @Nested(() => GitCommit, { optional: true }) git?: GitCommit;
  @Nested(() => RevisionUrls) urls: RevisionUrls;
}

/** The two flags of content reads. */
export class ContentFlags {
  @Flag({ optional: true, query: true, default: true, description: 'false leaves out the facts of git' })
  metadata: boolean = true;
  @Flag({ optional: true, query: true, default: true, description: 'false leaves computed content uncomputed' })
  computed: boolean = true;
}

export class PagesQuery extends ContentFlags {
  @Repeated()
  @Text({
    optional: true,
    list: true,
    maxItems: 50,
    description: 'Only pages with one of these tags, and the pages above them',
    example: ['beta'],
  })
  tags?: string[];
}

const WHETHER_EVALUATED = {
  optional: true,
  default: 'false',
  description:
    'Expressions show their values, and conditions their content where they hold; `deterministic-only` leaves alone what depends on the reader',
} as const;

export class PageReadQuery extends ContentFlags {
  @OneOf(['document', 'markdown'], { optional: true, description: 'Form of the body; `document` when omitted' })
  format: 'document' | 'markdown' = 'document';
  @OneOf(EVALUATED, WHETHER_EVALUATED) evaluated: Evaluated = 'false';
  @Text({
    optional: true,
    min: 1,
    max: 200,
    description: 'Only this block of the body, by its key',
    example: 'AbCdEfGh01',
  })
  block?: string;
}

export class EvaluatedQuery {
  @OneOf(EVALUATED, WHETHER_EVALUATED) evaluated: Evaluated = 'false';
}

export class DocumentQuery {
  @OneOf(['current', 'next'], {
    optional: true,
    description: 'Version of the document model; there is one, which both names mean',
  })
  schema?: 'current' | 'next';
}

export class FileListQuery extends PageQuery {
  @Flag({ optional: true, query: true, default: true, description: 'false leaves out the facts of git' })
  metadata: boolean = true;
  @Flag({ optional: true, query: true, default: true, description: 'false leaves computed content uncomputed' })
  computed: boolean = true;
}

export class DocumentBody {
  @ObjectName('document') object: 'document';
  @Free({ example: { schemaVersion: 8 } }) data: object;
  @Free({ list: true, example: [] }) nodes: object[];
}
