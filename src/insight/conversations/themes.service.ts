import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/common/clock.js';
import { Database } from '../../kernel/common/database.js';
import { notFound } from '../../kernel/common/errors.js';
import { newId } from '../../kernel/common/ids.js';
import { Pages, type Page, type PageRequest } from '../../kernel/common/page.js';
import { PULSE_WEEKS } from './domain/pulse.js';
import { MAX_TOPICS, type ThemeRow } from './themes.schema.js';

/** Over the organization $1 and $2, the end of the pulse. */
const COLUMNS = `t.id, (SELECT coalesce(sum(a.issues), 0)::int FROM issues_cluster a WHERE a.organization_id = $1) AS "allIssues", t.organization_id AS "organizationId", t.label, t.icon, t.summary, t.created_at AS "createdAt", t.updated_at AS "updatedAt", m.issues, m.topics AS "topicCount",
  (SELECT count(DISTINCT i.conversation_id)::int FROM issues_cluster k JOIN conversation_issue i ON i.organization_id = k.organization_id AND i.cluster_id = k.id
     JOIN conversation_source s ON s.organization_id = i.organization_id AND s.id = i.source_id AND s.deleted_at IS NULL
    WHERE k.organization_id = t.organization_id AND k.theme_id = t.id) AS conversations,
  (SELECT coalesce(json_agg(w), '[]') FROM (
     SELECT s.name AS source, least(${PULSE_WEEKS}, floor(extract(epoch FROM $2::timestamptz - i.created_at) / 604800))::int AS week, count(*)::int AS issues
       FROM issues_cluster k JOIN conversation_issue i ON i.organization_id = k.organization_id AND i.cluster_id = k.id
       JOIN conversation_source s ON s.organization_id = i.organization_id AND s.id = i.source_id AND s.deleted_at IS NULL
      WHERE k.organization_id = t.organization_id AND k.theme_id = t.id GROUP BY 1, 2) w) AS weeks,
  (SELECT coalesce(json_agg(c), '[]') FROM (
     SELECT k.id, k.label, k.icon, k.issues, k.conversations FROM issues_cluster k
      WHERE k.organization_id = t.organization_id AND k.theme_id = t.id ORDER BY k.issues DESC, k.id DESC LIMIT ${MAX_TOPICS}) c) AS topics`;
/** Themes with their totals; one whose clusters are gone is not shown until the next rebuild removes it. */
const FROM = `FROM issues_theme t CROSS JOIN LATERAL (
    SELECT count(*)::int AS topics, coalesce(sum(k.issues), 0)::int AS issues FROM issues_cluster k WHERE k.organization_id = t.organization_id AND k.theme_id = t.id) m
  WHERE t.organization_id = $1 AND $2::timestamptz IS NOT NULL AND m.topics > 0`;
const STORE = `INSERT INTO issues_theme AS t (organization_id, id, label, icon, summary, created_at, updated_at)
  SELECT $1, n.id, n.label, n.icon, n.summary, $2, $2 FROM unnest($3::text[], $4::text[], $5::text[], $6::text[]) AS n (id, label, icon, summary)
  ON CONFLICT (organization_id, id) DO UPDATE SET label = excluded.label, icon = excluded.icon, summary = excluded.summary, updated_at = excluded.updated_at, version = t.version + 1
   WHERE (t.label, t.icon, t.summary) IS DISTINCT FROM (excluded.label, excluded.icon, excluded.summary)`;
const PLACE = `UPDATE issues_cluster k SET theme_id = n.theme FROM unnest($2::text[], $3::text[]) AS n (id, theme)
  WHERE k.organization_id = $1 AND k.id = n.id AND k.theme_id IS DISTINCT FROM n.theme`;

const CLEAR = `UPDATE issues_cluster SET theme_id = NULL WHERE organization_id = $1 AND theme_id IS NOT NULL AND id <> ALL ($2)`;

/** A theme after a rebuild, with the ids of its clusters; a new one has no id. */
export interface StoredTheme {
  readonly id: string | undefined;
  readonly title: string;
  readonly icon: string;
  readonly summary: string;
  readonly clusterIds: readonly string[];
}

/** Themes: groups of clusters that are about related matters. */
@Injectable()
export class Themes {
  constructor(
    private readonly database: Database,
    private readonly pages: Pages,
    private readonly clock: Clock,
  ) {}

  /** Lists the themes of an organization, those with the most issues first. */
  list(organizationId: string, query: PageRequest): Promise<Page<ThemeRow>> {
    return this.pages.list<ThemeRow & Record<string, unknown>>(query, {
      scope: ['conversations-themes', organizationId],
      select: COLUMNS,
      from: FROM,
      values: [organizationId, this.clock.now()],
      order: [
        { expression: 'm.issues', type: 'integer' },
        { expression: 't.id', type: 'text' },
      ],
      direction: 'desc',
    });
  }

  async get(organizationId: string, id: string): Promise<ThemeRow> {
    const row = await this.database.one<ThemeRow & Record<string, unknown>>(`SELECT ${COLUMNS} ${FROM} AND t.id = $3`, [
      organizationId,
      this.clock.now(),
      id,
    ]);
    if (!row) throw notFound('Theme');
    return row;
  }

  /** Replaces all themes of an organization, in the transaction of a rebuild. */
  async replace(organizationId: string, themes: readonly StoredTheme[], now: Date): Promise<void> {
    const stored = themes.map((theme) => ({ ...theme, id: theme.id ?? newId(now.getTime()) }));
    await this.database.execute(STORE, [
      organizationId,
      now,
      ...(['id', 'title', 'icon', 'summary'] as const).map((name) => stored.map((theme) => theme[name])),
    ]);
    const placed = stored.flatMap(({ id, clusterIds }) => clusterIds.map((cluster) => [cluster, id] as const));
    await this.database.execute(PLACE, [
      organizationId,
      placed.map(([cluster]) => cluster),
      placed.map(([, theme]) => theme),
    ]);
    // Clusters that have lost their issues are in no theme, not in that of their former ones.
    await this.database.execute(CLEAR, [organizationId, placed.map(([cluster]) => cluster)]);
    await this.database.execute('DELETE FROM issues_theme WHERE organization_id = $1 AND id <> ALL ($2)', [
      organizationId,
      stored.map(({ id }) => id),
    ]);
  }
}
