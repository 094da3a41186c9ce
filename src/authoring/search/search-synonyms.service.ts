import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/common/clock.js';
import { Database } from '../../kernel/common/database.js';
import { Outbox } from '../../kernel/platform/outbox.js';
import { Members } from '../../identity/organizations/members.service.js';
import { synonymsOf, synonymTable } from './domain/synonyms.js';
import type { SynonymGroup, SynonymsForCaller } from './search-synonyms.schema.js';

/** The words that organizations use for one another. */
@Injectable()
export class SynonymLists {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly outbox: Outbox,
    private readonly members: Members,
  ) {}

  async get(organizationId: string): Promise<SynonymsForCaller> {
    const row = await this.database.one<{ groups: SynonymGroup[]; updatedAt: Date; updatedBy: string }>(
      'SELECT groups, updated_at AS "updatedAt", updated_by AS "updatedBy" FROM search_synonyms WHERE organization_id = $1',
      [organizationId],
    );
    return row ?? { groups: [] };
  }

  /** Other names for a word or adjacent words in an organization: its own and those that are known everywhere. */
  async of(organizationId: string): Promise<(text: string) => readonly string[]> {
    const { groups } = await this.get(organizationId);
    if (groups.length === 0) return synonymsOf;
    const own = synonymTable(groups.map(({ words }) => words));
    return (text) => [...own(text), ...synonymsOf(text)];
  }

  /** Replaces all groups. */
  async set(callerId: string, organizationId: string, groups: readonly SynonymGroup[]): Promise<SynonymsForCaller> {
    await this.database.transaction(async () => {
      await this.members.lockAsAdmin(callerId, organizationId);
      await this.database.execute(
        `INSERT INTO search_synonyms (organization_id, groups, updated_by, updated_at) VALUES ($1, $2, $3, $4)
         ON CONFLICT (organization_id) DO UPDATE SET groups = excluded.groups, updated_by = excluded.updated_by, updated_at = excluded.updated_at`,
        [organizationId, JSON.stringify(groups), callerId, this.clock.now()],
      );
      await this.outbox.record({ type: 'search_synonyms_updated', organizationId, target: organizationId });
    });
    return this.get(organizationId);
  }
}
