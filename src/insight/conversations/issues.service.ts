import { Injectable } from '@nestjs/common';
import { Database } from '../../kernel/common/database.js';
import { notFound } from '../../kernel/common/errors.js';
import { Pages, type Page } from '../../kernel/common/page.js';
import { CONVERSATION_COLUMNS, type ConversationRow } from './conversations.schema.js';
import type { IssueRow, IssuesQuery } from './issues.schema.js';

/** A row of an issue and, under separate names, the columns of its conversation. */
interface Joined extends ConversationRow {
  readonly [column: string]: unknown;
  readonly issueId: string;
  readonly title: string;
  readonly summary: string;
  readonly clusterId: string | null;
  readonly issueCreatedAt: Date;
  readonly ingestedAt: Date;
}

const COLUMNS = `${CONVERSATION_COLUMNS}, i.id AS "issueId", i.title, i.summary, i.cluster_id AS "clusterId", i.created_at AS "issueCreatedAt", i.ingested_at AS "ingestedAt"`;
const FROM = `FROM conversation_issue i
  JOIN conversation_source s ON s.organization_id = i.organization_id AND s.id = i.source_id AND s.deleted_at IS NULL
  JOIN conversation c ON c.organization_id = i.organization_id AND c.id = i.conversation_id
  WHERE i.organization_id = $1`;
/** The same rows for counting: every issue has its conversation. */
const COUNT_FROM = `FROM conversation_issue i
  JOIN conversation_source s ON s.organization_id = i.organization_id AND s.id = i.source_id AND s.deleted_at IS NULL
  WHERE i.organization_id = $1`;

/** The derived issues of conversations of organizations. */
@Injectable()
export class Issues {
  constructor(
    private readonly database: Database,
    private readonly pages: Pages,
  ) {}

  /** Lists the issues of an organization, those of the latest conversations first. */
  async list(organizationId: string, query: IssuesQuery): Promise<Page<IssueRow>> {
    const { cluster, conversation } = query;
    const filters = [
      ...(cluster === undefined ? [] : [{ column: 'i.cluster_id', value: cluster }]),
      ...(conversation === undefined ? [] : [{ column: 'i.conversation_id', value: conversation }]),
    ];
    const where = filters.map(({ column }, index) => ` AND ${column} = $${index + 2}`).join('');
    const page = await this.pages.list<Joined>(query, {
      scope: ['conversations-issues', organizationId, cluster ?? null, conversation ?? null],
      select: COLUMNS,
      from: FROM + where,
      values: [organizationId, ...filters.map(({ value }) => value)],
      count: `SELECT count(*) AS count ${COUNT_FROM}${where}`,
      order: [
        { expression: 'i.created_at', type: 'timestamptz' },
        { expression: 'i.id', type: 'text' },
      ],
      direction: 'desc',
    });
    return page.map(issueOf);
  }

  async get(organizationId: string, id: string): Promise<IssueRow> {
    const row = await this.database.one<Joined>(`SELECT ${COLUMNS} ${FROM} AND i.id = $2`, [organizationId, id]);
    if (!row) throw notFound('Issue');
    return issueOf(row);
  }
}

function issueOf({
  issueId,
  title,
  summary,
  clusterId,
  issueCreatedAt,
  ingestedAt,
  ...conversation
}: Joined): IssueRow {
  return { id: issueId, title, summary, clusterId, createdAt: issueCreatedAt, ingestedAt, conversation };
}
