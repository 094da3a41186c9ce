import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/common/clock.js';
import { Database } from '../../kernel/common/database.js';
import { notFound } from '../../kernel/common/errors.js';
import { Pages, type Page, type SortKey } from '../../kernel/common/page.js';
import { QUESTION_ID_LENGTH, siteSource, type SiteOf } from './domain/site-question.js';
import type { AskedQuery, QuestionsQuery, SiteQuestionRow, SiteQuestionStatsRow } from './site-questions.schema.js';

/** The id of the question of a conversation of alias c. */
export const QUESTION_ID = `left(c.external_id, ${QUESTION_ID_LENGTH})`;

/** The source $2 of the organization $1, found once for a statement. */
export const SITE_SOURCE = `(SELECT s.id FROM conversation_source s
    WHERE s.organization_id = $1 AND s.name = $2 AND s.deleted_at IS NULL)`;

/** Times that questions of one site were asked that a list or a statistic counts. */
const MOST_COUNTED = 20_000;

/**
 * The latest conversations `c` with questions of the site whose source is $2, from $3 to $4, for which a condition holds.
 * Those before them are reached by an earlier $4, so no request costs more the longer a site is there.
 */
const asked = (condition: string): string => `FROM (
    SELECT c.id, c.external_id, c.subject, c.created_at
      FROM conversation c
     WHERE c.organization_id = $1 AND c.source_id = ${SITE_SOURCE}
       AND c.created_at >= coalesce($3::timestamptz, '-infinity') AND c.created_at <= coalesce($4::timestamptz, 'infinity') AND ${condition}
     ORDER BY c.created_at DESC, c.id DESC LIMIT ${MOST_COUNTED}) c`;

/** Those of the cluster $6. */
const OF_CLUSTER =
  'c.id IN (SELECT i.conversation_id FROM conversation_issue i WHERE i.organization_id = $1 AND i.cluster_id = $6)';

/** Those of the question $6: they are one range of the unique index. */
const OF_QUESTION = `c.external_id >= $6 AND c.external_id < $6 || '~' AND ${QUESTION_ID} = $6`;

/** A lookup for each conversation: an EXISTS would be planned as a scan of all issues of the organization. */
const IS_RELEVANT =
  '(SELECT true FROM conversation_issue i WHERE i.organization_id = $1 AND i.conversation_id = c.id LIMIT 1)';

/** Weeks before $5, the time of the request. */
const WEEK = 'floor(extract(epoch FROM $5::timestamptz - c.created_at) / 604800)::int';

const questions = (condition: string): string => `SELECT ${QUESTION_ID} AS id,
    (array_agg(c.subject ORDER BY c.created_at DESC))[1] AS question,
    min(c.created_at) AS "createdAt", max(c.created_at) AS "askedAt", count(*)::int AS asked,
    count(*) FILTER (WHERE ${IS_RELEVANT})::int AS relevant, array_agg(${WEEK}) AS weeks
  ${asked(condition)} GROUP BY 1`;

const ORDERS: Readonly<Record<NonNullable<QuestionsQuery['sort']> | 'createdAt', SortKey>> = {
  createdAt: { expression: 'q."createdAt"', type: 'timestamptz' },
  askedAt: { expression: 'q."askedAt"', type: 'timestamptz' },
  'stats.answers': { expression: 'q.asked', type: 'integer' },
};

/** Questions of readers that sites did not answer and that are recorded as conversations: those of one text are one question. */
@Injectable()
export class SiteQuestions {
  constructor(
    private readonly database: Database,
    private readonly pages: Pages,
    private readonly clock: Clock,
  ) {}

  /** Those that belong to a cluster, if one is named. */
  list(site: SiteOf, query: QuestionsQuery, cluster?: string): Promise<Page<SiteQuestionRow>> {
    const { sort = 'createdAt', order, from, to } = query;
    return this.pages.list<SiteQuestionRow & Record<string, unknown>>(query, {
      scope: ['site-questions', site.id, cluster ?? null, sort, order, from ?? null, to ?? null],
      select: 'q.*',
      from: `FROM (${questions(cluster === undefined ? 'true' : OF_CLUSTER)}) q WHERE true`,
      values: [...this.values(site, query), ...(cluster === undefined ? [] : [cluster])],
      countsItself: true,
      order: [ORDERS[sort], { expression: 'q.id', type: 'text' }],
      direction: order,
    });
  }

  async get(site: SiteOf, id: string, query: AskedQuery): Promise<SiteQuestionRow> {
    if (id.length !== QUESTION_ID_LENGTH) throw notFound('Question');
    const row = await this.database.one<SiteQuestionRow & Record<string, unknown>>(questions(OF_QUESTION), [
      ...this.values(site, query),
      id,
    ]);
    if (!row) throw notFound('Question');
    return row;
  }

  async stats(site: SiteOf, query: AskedQuery): Promise<SiteQuestionStatsRow> {
    const row = await this.database.one<SiteQuestionStatsRow & Record<string, unknown>>(
      `WITH asked AS MATERIALIZED (SELECT c.* ${asked('true')})
       SELECT (SELECT count(DISTINCT ${QUESTION_ID})::int FROM asked c) AS questions,
              coalesce(sum(w.asked), 0)::int AS asked, coalesce(sum(w.relevant), 0)::int AS relevant,
              coalesce(json_agg(json_build_object('week', w.week, 'asked', w.asked))
                FILTER (WHERE w.week IS NOT NULL), '[]') AS weeks
         FROM (SELECT ${WEEK} AS week, count(*)::int AS asked, count(*) FILTER (WHERE ${IS_RELEVANT})::int AS relevant
                 FROM asked c GROUP BY 1) w`,
      this.values(site, query),
    );
    if (!row) throw new Error('an aggregation without a row');
    return row;
  }

  private values({ organizationId, id }: SiteOf, { from, to }: AskedQuery): unknown[] {
    return [organizationId, siteSource(id), from ?? null, to ?? null, this.clock.now()];
  }
}
