import { Injectable } from '@nestjs/common';
import type { OrganizationAccess } from '../../kernel/access/access.service.js';
import { Clock } from '../../kernel/common/clock.js';
import { requireMatch, type Caller } from '../../kernel/common/context.js';
import { Database } from '../../kernel/common/database.js';
import { invalid, notFound } from '../../kernel/common/errors.js';
import { Pages, type Page, type PageRequest } from '../../kernel/common/page.js';
import { Outbox } from '../../kernel/platform/outbox.js';
import type { ChangeRequestBody, ChangeRequestRow } from '../../authoring/change-requests/change-request.schema.js';
import { ChangeRequests } from '../../authoring/change-requests/change-requests.service.js';
import { ClusterCoverages } from './cluster-coverage.service.js';
import { ClusterDrafts } from './cluster-drafts.service.js';
import { siteSource, type SiteOf } from './domain/site-question.js';
import type {
  FINDING_SEVERITIES,
  FindingFilters,
  FindingsQuery,
  FindingStatus,
  SiteFindingRow,
  SiteFindingStatsRow,
} from './site-findings.schema.js';
import type { SiteQuestionRow } from './site-questions.schema.js';
import { QUESTION_ID, SITE_SOURCE, SiteQuestions } from './site-questions.service.js';

/** Questions from which on a finding is of a severity. */
const SEVERE: Readonly<Record<(typeof FINDING_SEVERITIES)[number], number>> = { low: 1, medium: 3, high: 10 };

/** Issues of a cluster that count for its finding: the latest of readers, and of others as many. */
const MOST_COUNTED = 1000;

/** The latest issues of the cluster k from sources for which a condition holds. */
const issues = (condition: string): string => `(
    SELECT i.conversation_id, i.ingested_at
      FROM conversation_issue i JOIN conversation_source s ON s.organization_id = i.organization_id AND s.id = i.source_id AND s.deleted_at IS NULL
     WHERE i.organization_id = k.organization_id AND i.cluster_id = k.id AND ${condition}
     ORDER BY i.created_at DESC, i.id DESC LIMIT ${MOST_COUNTED}) i`;

/** A lookup for each issue: a join would be planned as a scan of all conversations for each cluster. */
const ASKED = '(SELECT external_id FROM conversation WHERE organization_id = $1 AND id = i.conversation_id LIMIT 1)';

/**
 * The clusters of the organization $1 with questions from the source $2, that of a site. What people decided holds until
 * something else happens: another question opens a finding again, and a merge settles it.
 */
const FINDINGS = `SELECT k.id, k.label AS title, k.summary, k.created_at AS "createdAt", k.updated_at AS "updatedAt",
    k.version, f.questions, o.records, r.requests, r.merged,
    CASE WHEN f.questions >= ${SEVERE.high} THEN 'high' WHEN f.questions >= ${SEVERE.medium} THEN 'medium'
         ELSE 'low' END AS severity,
    CASE WHEN k.outcome_at >= greatest(f.latest, o.latest, r.merged_at) THEN k.outcome
         WHEN r.merged_at >= greatest(f.latest, o.latest) THEN 'done' ELSE 'open' END AS status
  FROM issues_cluster k
 CROSS JOIN LATERAL (
   SELECT count(DISTINCT ${QUESTION_ID})::int AS questions, max(i.ingested_at) AS latest
     FROM ${issues(`i.source_id = ${SITE_SOURCE}`)} CROSS JOIN LATERAL ${ASKED} c) f
 CROSS JOIN LATERAL (
   SELECT count(DISTINCT i.conversation_id)::int AS records, max(i.ingested_at) AS latest
     FROM ${issues('s.name <> $2')}) o
 CROSS JOIN LATERAL (
   SELECT count(*)::int AS requests, count(*) FILTER (WHERE status = 'merged')::int AS merged,
          max(updated_at) FILTER (WHERE status = 'merged') AS merged_at
     FROM change_request WHERE issues_cluster_id = k.id) r
 WHERE k.organization_id = $1 AND f.questions > 0`;

/** Over the alias f of `FINDINGS`, with the filters $3 to $6. */
const MATCHES = `($3::text IS NULL OR f.status = $3) AND ($4::text IS NULL OR f.severity = $4)
  AND ($5::boolean IS NULL OR $5 = (f.requests > 0))
  AND ($6::text IS NULL OR f.id IN (
    SELECT i.cluster_id FROM conversation c JOIN conversation_issue i ON i.organization_id = $1 AND i.conversation_id = c.id
     WHERE c.organization_id = $1 AND c.source_id = ${SITE_SOURCE}
       AND c.external_id >= $6 AND c.external_id < $6 || '~' AND ${QUESTION_ID} = $6))`;

/** Findings of sites: the clusters of issues in which there are questions that the site did not answer. */
@Injectable()
export class SiteFindings {
  constructor(
    private readonly database: Database,
    private readonly pages: Pages,
    private readonly clock: Clock,
    private readonly outbox: Outbox,
    private readonly coverages: ClusterCoverages,
    private readonly drafts: ClusterDrafts,
    private readonly questions: SiteQuestions,
    private readonly requests: ChangeRequests,
  ) {}

  /** Those that were changed last come first. */
  list(site: SiteOf, query: FindingsQuery): Promise<Page<SiteFindingRow>> {
    const filters = filtersOf(query);
    return this.pages.list<SiteFindingRow & Record<string, unknown>>(query, {
      scope: ['site-findings', site.id, ...filters],
      select: 'f.*',
      from: `FROM (${FINDINGS}) f WHERE ${MATCHES}`,
      values: [site.organizationId, siteSource(site.id), ...filters],
      countsItself: true,
      order: [
        { expression: 'f."updatedAt"', type: 'timestamptz' },
        { expression: 'f.id', type: 'text' },
      ],
      direction: 'desc',
    });
  }

  async get({ organizationId, id: siteId }: SiteOf, id: string): Promise<SiteFindingRow> {
    const row = await this.database.one<SiteFindingRow & Record<string, unknown>>(`${FINDINGS} AND k.id = $3`, [
      organizationId,
      siteSource(siteId),
      id,
    ]);
    if (!row) throw notFound('Finding');
    return row;
  }

  async questionsOf(site: SiteOf, id: string, query: PageRequest): Promise<Page<SiteQuestionRow>> {
    await this.get(site, id);
    return this.questions.list(site, { ...query, order: 'desc' }, id);
  }

  /** The change requests for a finding, in spaces that the caller can see. */
  async requestsOf(caller: Caller, site: SiteOf, id: string, query: PageRequest): Promise<Page<ChangeRequestRow>> {
    await this.get(site, id);
    return this.requests.listInOrganization(caller, site.organizationId, { ...query, conversationsIssuesCluster: id });
  }

  async stats({ organizationId, id }: SiteOf, query: FindingFilters): Promise<SiteFindingStatsRow> {
    const count = (condition: string): string => `count(*) FILTER (WHERE ${condition})::int`;
    const row = await this.database.one<SiteFindingStatsRow & Record<string, unknown>>(
      `SELECT count(*)::int AS total, coalesce(sum(f.merged), 0)::int AS merged,
              ${count(`f.status = 'open'`)} AS open, ${count(`f.status = 'done'`)} AS done,
              ${count(`f.status = 'canceled'`)} AS canceled, ${count(`f.severity = 'low'`)} AS low,
              ${count(`f.severity = 'medium'`)} AS medium, ${count(`f.severity = 'high'`)} AS high
         FROM (${FINDINGS}) f WHERE ${MATCHES}`,
      [organizationId, siteSource(id), ...filtersOf(query)],
    );
    if (!row) throw new Error('an aggregation without a row');
    return row;
  }

  /** Records what people decided. The cluster stays then when clusters are built anew. */
  async settle(site: SiteOf, id: string, status: FindingStatus): Promise<SiteFindingRow> {
    await this.database.transaction(async () => {
      await this.database.one('SELECT FROM issues_cluster WHERE organization_id = $1 AND id = $2 FOR NO KEY UPDATE', [
        site.organizationId,
        id,
      ]);
      const before = await this.get(site, id);
      requireMatch(before.version);
      if (before.status === status) return;
      await this.database.execute(
        `UPDATE issues_cluster SET outcome = $3, outcome_at = $4, reviewed_at = coalesce(reviewed_at, $4),
                updated_at = $4, version = version + 1
          WHERE organization_id = $1 AND id = $2`,
        [site.organizationId, id, status, this.clock.now()],
      );
      await this.outbox.record({
        type: 'issues_cluster_updated',
        organizationId: site.organizationId,
        target: id,
        payload: { fields: ['outcome'] },
      });
    });
    return this.get(site, id);
  }

  /**
   * Drafts a change request in that space of the site whose pages are nearest. Throws `invalid` where no page that the caller
   * can read is near, and `forbidden` if the caller may not propose changes there.
   */
  async draft(caller: Caller, organization: OrganizationAccess, site: SiteOf, id: string): Promise<ChangeRequestBody> {
    await this.get(site, id);
    const spaces = await this.database.query<{ id: string }>(
      'SELECT space_id AS id FROM site_space WHERE site_id = $1 ORDER BY position, id',
      [site.id],
    );
    const own = new Set(spaces.map((space) => space.id));
    const { pages } = await this.coverages.of(caller, organization, id);
    const space = pages.find(({ hit }) => own.has(hit.space))?.hit.space ?? spaces[0]?.id;
    if (space === undefined) throw invalid('', 'The site has no space to change');
    return this.drafts.draft(caller, organization, id, space);
  }
}

function filtersOf({ status, severity, hasChangeRequests, question }: FindingFilters & { readonly question?: string }) {
  return [status ?? null, severity ?? null, hasChangeRequests ?? null, question ?? null];
}
