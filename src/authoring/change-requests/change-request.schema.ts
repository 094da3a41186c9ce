import type { Viewer } from '../../kernel/access/access.service.js';
import type { Addresses } from '../../kernel/common/addresses.js';
import { Amount, Flag, Free, Id, Nested, ObjectName, OneOf, Text, Timestamp, Url } from '../../kernel/common/fields.js';
import { versioned } from '../../kernel/common/versioned.js';
import type { Registry } from '../../kernel/platform/manifest/registry.js';
import { openComments } from '../../workspace/spaces/open-comments.js';
import { AgentName, presentUserTo, UserBody, userFacts, type UserFacts } from '../../identity/users/users.schema.js';
import { REQUEST_STATUSES, type RequestStatus } from '../content/domain/request-status.js';
import type { Document } from '../../formats/document/types.js';
import { appAddress } from '../content/present-content.js';

class ChangeRequestUrls {
  @Url() app: string;
  @Url() location: string;
}

export class ChangeRequestBody {
  @ObjectName('change-request') object: 'change-request';
  @Id() id: string;
  @Amount({ min: 1 }) number: number;
  @OneOf(REQUEST_STATUSES) status: RequestStatus;
  @Text({ example: 'Explain the installation' }) subject: string;
  @Free({ optional: true, example: { object: 'document', data: { schemaVersion: 8 }, nodes: [] } })
  description?: object;
  @Text({
    optional: true,
    description: 'The description as Markdown, with `format=markdown`',
    example: 'Why it is needed',
  })
  descriptionMarkdown?: string;
  @Nested(() => UserBody) createdBy: UserBody;
  @AgentName() agent?: string;
  @Timestamp() createdAt: string;
  @Timestamp() updatedAt: string;
  @Id() space: string;
  @Id({ description: 'The head of its content' }) revision: string;
  @Id({ description: 'The primary revision that it started from' }) revisionInitial: string;
  @Id({ optional: true, description: 'The primary revision that it was last updated from' })
  revisionMergedAncestor?: string;
  @Id({ optional: true, description: 'The primary revision that its merge made' }) revisionMerged?: string;
  @Amount({ min: 0, example: 0, description: 'Open comments' }) comments: number;
  @Flag({ description: 'Primary has moved since it was started or updated', example: false }) outdated: boolean;
  @Id({ optional: true }) conversationsIssuesCluster?: string;
  @Nested(() => ChangeRequestUrls) urls: ChangeRequestUrls;
}

/** A change request with related data. */
export interface ChangeRequestRow {
  readonly id: string;
  readonly spaceId: string;
  readonly organizationId: string;
  readonly number: number;
  readonly status: RequestStatus;
  readonly subject: string;
  readonly description: Document | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly revisionId: string;
  readonly initialRevisionId: string;
  readonly mergedAncestorId: string | null;
  readonly mergedRevisionId: string | null;
  readonly issuesClusterId: string | null;
  readonly comments: number;
  readonly outdated: boolean;
  readonly version: number;
  readonly creator: UserFacts;
  readonly agent: string | null;
}

/** The columns of `ChangeRequestRow`, over the aliases of `CHANGE_REQUEST_FROM`. */
export const changeRequestColumns = (
  registry: Registry,
): string => `r.id, r.space_id AS "spaceId", s.organization_id AS "organizationId", r.number, r.status, r.subject, r.description,
  r.created_at AS "createdAt", r.updated_at AS "updatedAt", r.revision_id AS "revisionId", r.initial_revision_id AS "initialRevisionId",
  r.merged_ancestor_id AS "mergedAncestorId", r.merged_revision_id AS "mergedRevisionId", r.issues_cluster_id AS "issuesClusterId",
  ${openComments(registry, 'r.space_id', 'r.id')} AS comments, r.status <> 'merged' AND r.base_sequence < s.sequence AS outdated, r.version, r.agent,
  ${userFacts('u')} AS creator`;

export const CHANGE_REQUEST_FROM = `FROM change_request r JOIN space s ON s.id = r.space_id AND s.deleted_at IS NULL JOIN account u ON u.id = r.created_by`;

export function presentChangeRequest(row: ChangeRequestRow, viewer: Viewer, addresses: Addresses): ChangeRequestBody {
  return versioned(
    {
      object: 'change-request',
      id: row.id,
      number: row.number,
      status: row.status,
      subject: row.subject,
      ...(row.description && { description: row.description }),
      createdBy: presentUserTo(viewer, row.creator, addresses),
      ...(row.agent !== null && { agent: row.agent }),
      createdAt: row.createdAt.toISOString(),
      updatedAt: row.updatedAt.toISOString(),
      space: row.spaceId,
      revision: row.revisionId,
      revisionInitial: row.initialRevisionId,
      ...(row.mergedAncestorId !== null && { revisionMergedAncestor: row.mergedAncestorId }),
      ...(row.mergedRevisionId !== null && { revisionMerged: row.mergedRevisionId }),
      comments: row.comments,
      outdated: row.outdated,
      ...(row.issuesClusterId !== null && { conversationsIssuesCluster: row.issuesClusterId }),
      urls: {
        app: appAddress(addresses, { organizationId: row.organizationId, id: row.spaceId }, { number: row.number }),
        location: addresses.location(`/spaces/${row.spaceId}/change-requests/${row.id}`),
      },
    },
    row.version,
  );
}
