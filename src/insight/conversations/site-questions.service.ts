import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/common/clock.js';
import { Database } from '../../kernel/common/database.js';
import { notFound } from '../../kernel/common/errors.js';
import { Pages, type Page, type SortKey } from '../../kernel/common/page.js';
import { QUESTION_ID_LENGTH, siteSource, type SiteOf } from './domain/site-question.js';
import type { AskedQuery, QuestionsQuery, SiteQuestionRow, SiteQuestionStatsRow } from './site-questions.schema.js';

/** The id of the question of a conversation of alias c. */
export const QUESTION_ID = `left(c.external_id, ${QUESTION_ID_LENGTH})`;

/** The conversations with the questions of the site whose source is $2, from $3 to $4; of the cluster $5 only, if one is named. */
const ASKED = `FROM conversation c JOIN conversation_source s ON s.id = c.source_id AND s.deleted_at IS NULL
  WHERE s.organization_id = $1 AND s.name = $2 AND ($3::timestamptz IS NULL OR c.created_at >= $3) AND ($4::timestamptz IS NULL OR c.created_at <= $4)
    AND ($5::text IS NULL OR EXISTS (SELECT FROM conversation_issue i WHERE i.organization_id = $1 AND i.conversation_id = c.id AND i.cluster_id = $5))`;

const IS_RELEVANT =
  'EXISTS (SELECT FROM conversation_issue i WHERE i.organization_id = $1 AND i.conversation_id = c.id)';

/** Weeks before $6, the time of the request. */
const WEEK = 'floor(extract(epoch FROM $6::timestamptz - c.created_at) / 604800)::int';

const QUESTIONS = `SELECT ${QUESTION_ID} AS id, (array_agg(c.subject ORDER BY c.created_at DESC))[1] AS question, min(c.created_at) AS "createdAt",
    max(c.created_at) AS "askedAt", count(*)::int AS asked, count(*) FILTER (WHERE ${IS_RELEVANT})::int AS relevant, array_agg(${WEEK}) AS weeks
  ${ASKED}`;

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
    const values = this.values(site, query, cluster);
    return this.pages.list<SiteQuestionRow & Record<string, unknown>>(query, {
      scope: ['site-questions', site.id, cluster ?? null, sort, order, from ?? null, to ?? null],
      select: 'q.*',
      from: `FROM (${QUESTIONS} GROUP BY 1) q WHERE true`,
      values,
      order: [ORDERS[sort], { expression: 'q.id', type: 'text' }],
      direction: order,
    });
  }

  async get(site: SiteOf, id: string, query: AskedQuery): Promise<SiteQuestionRow> {
    const row = await this.database.one<SiteQuestionRow & Record<string, unknown>>(
      `${QUESTIONS} AND ${QUESTION_ID} = $7 GROUP BY 1`,
      [...this.values(site, query), id],
    );
    if (!row) throw notFound('Question');
    return row;
  }

  async stats(site: SiteOf, query: AskedQuery): Promise<SiteQuestionStatsRow> {
    const row = await this.database.one<SiteQuestionStatsRow & Record<string, unknown>>(
      `SELECT (SELECT count(DISTINCT ${QUESTION_ID})::int ${ASKED}) AS questions, coalesce(sum(w.asked), 0)::int AS asked,
              coalesce(sum(w.relevant), 0)::int AS relevant, coalesce(json_agg(json_build_object('week', w.week, 'asked', w.asked)) FILTER (WHERE w.week IS NOT NULL), '[]') AS weeks
         FROM (SELECT ${WEEK} AS week, count(*)::int AS asked, count(*) FILTER (WHERE ${IS_RELEVANT})::int AS relevant ${ASKED} GROUP BY 1) w`,
      this.values(site, query),
    );
    if (!row) throw new Error('an aggregation without a row');
    return row;
  }

  private values({ organizationId, id }: SiteOf, { from, to }: AskedQuery, cluster?: string): unknown[] {
    return [organizationId, siteSource(id), from ?? null, to ?? null, cluster ?? null, this.clock.now()];
  }
}
