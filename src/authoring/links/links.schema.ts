import { CollectionBody } from '../../workspace/collections/collections.schema.js';
import { Amount, Nested, OneOf, Text } from '../../kernel/common/fields.js';
import { PageQuery } from '../../kernel/common/page-query.js';
import { ChangeRequestBody } from '../change-requests/change-request.schema.js';
import { FileBody, PageBody, ReusableContentBody } from '../content/content.schema.js';
import { OpenApiSpecBody } from '../openapi/openapi.schema.js';
import { OrganizationBody } from '../../identity/organizations/organizations.schema.js';
import { SpaceBody } from '../../workspace/spaces/spaces.schema.js';
import { UserBody } from '../../identity/users/users.schema.js';

export const LINK_STATUSES = ['ok', 'broken', 'in-app'] as const;
export type LinkStatus = (typeof LINK_STATUSES)[number];
export const BROKEN_CONTEXTS = ['change-request', 'space'] as const;

export class LinksQuery extends PageQuery {
  @OneOf(LINK_STATUSES, { optional: true, description: 'Only links with this status' }) status?: LinkStatus;
}

export class ChangeRequestLinksQuery extends LinksQuery {
  @OneOf(BROKEN_CONTEXTS, {
    optional: true,
    description: 'Only links that the change request has broken, or only those that were broken before it',
  })
  brokenContext?: (typeof BROKEN_CONTEXTS)[number];
}

class VersionContext {
  @OneOf(['changeRequest']) type: 'changeRequest';
  @Nested(() => ChangeRequestBody) changeRequest: Omit<ChangeRequestBody, 'description'>;
}

class InternalLocation {
  @OneOf(['anchor', 'node']) type: 'anchor' | 'node';
  @Text({ optional: true, description: 'The anchor on the page', example: 'requirements' }) anchor?: string;
  @Text({ optional: true, description: 'The key of the block on the page', example: 'AbCdEfGh01' }) node?: string;
}

/** The target of references, or a place that contains them, with related objects; its fields depend on the kind. */
export class ContentLocation {
  @OneOf(['file', 'url', 'page', 'user', 'collection', 'space', 'reusable-content', 'openapi']) kind: string;
  @Nested(() => OrganizationBody, { optional: true }) organization?: OrganizationBody;
  @Nested(() => SpaceBody, { optional: true }) space?: SpaceBody;
  @Nested(() => VersionContext, { optional: true, description: 'In the content of a change request: which one' })
  versionContext?: VersionContext;
  @Nested(() => PageBody, { optional: true, description: 'Without its subpages and its body' }) page?: PageBody;
  @Nested(() => InternalLocation, { optional: true, description: 'The part of the page' })
  internalLocation?: InternalLocation;
  @Nested(() => FileBody, { optional: true }) file?: FileBody;
  @Nested(() => ReusableContentBody, { optional: true }) reusableContent?: ReusableContentBody;
  @Nested(() => CollectionBody, { optional: true }) collection?: CollectionBody;
  @Nested(() => UserBody, { optional: true }) user?: UserBody;
  @Nested(() => OpenApiSpecBody, { optional: true }) openAPISpec?: OpenApiSpecBody;
  @Text({ optional: true, example: 'https://example.com/' }) url?: string;
}

/** One target of links, with the places that refer to it. */
export class LinkUsage {
  @OneOf(LINK_STATUSES, {
    description:
      '`broken`: there is no such target, or the caller cannot see it; `in-app`: an address of this installation, which readers of published content cannot open',
  })
  status: LinkStatus;
  @OneOf(['reference', 'dependsOn'], { description: '`dependsOn` where the target is shown in its place' }) relation:
    'reference' | 'dependsOn';
  @Nested(() => ContentLocation, {
    optional: true,
    description: 'Absent where there is nothing to show; a page where only the anchor is missing',
  })
  targetReference?: ContentLocation;
  @Nested(() => ContentLocation, {
    list: true,
    description: 'The pages and reusable contents with the links, the first ten places',
  })
  locationReferences: ContentLocation[];
}

class BrokenLinks {
  @Amount({ min: 0, example: 2 }) total: number;
  @Amount({ optional: true, min: 0, description: 'Those that the change request has broken', example: 1 })
  changeRequest?: number;
}

/** Numbers of links in the whole report, regardless of its filter. */
export class LinkStats {
  @Amount({ min: 0, example: 40 }) total: number;
  @Nested(() => BrokenLinks) broken: BrokenLinks;
}

/** Beside the items of a report. */
export const STATS_FIELD = { stats: { $ref: '#/components/schemas/LinkStats' } } as const;
