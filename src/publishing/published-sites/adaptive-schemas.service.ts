import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/common/clock.js';
import { requireMatch, type Caller } from '../../kernel/common/context.js';
import { Database } from '../../kernel/common/database.js';
import { notFound } from '../../kernel/common/errors.js';
import { Outbox } from '../../kernel/platform/outbox.js';
import { SiteLock } from '../sites/site-lock.js';
import type { AdaptiveSchemaRow } from './adaptive-schema.schema.js';
import type { AdaptiveSchema } from './domain/adaptive-schema.js';

/** The declared claims of sites' visitors. */
@Injectable()
export class AdaptiveSchemas {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly outbox: Outbox,
    private readonly lock: SiteLock,
  ) {}

  find(siteId: string): Promise<AdaptiveSchemaRow | undefined> {
    return this.database.one<AdaptiveSchemaRow & Record<string, unknown>>(
      'SELECT json_schema AS "jsonSchema", version, updated_at AS "updatedAt" FROM site_adaptive_schema WHERE site_id = $1',
      [siteId],
    );
  }

  /** Throws `notFound` for a site without a schema. */
  async get(siteId: string): Promise<AdaptiveSchemaRow> {
    const row = await this.find(siteId);
    if (!row) throw notFound('Adaptive schema');
    return row;
  }

  /** Sets the schema of a site, which must have been checked. */
  async set(
    caller: Caller,
    address: { readonly id: string; readonly organizationId: string },
    jsonSchema: AdaptiveSchema,
  ): Promise<AdaptiveSchemaRow> {
    await this.lock.hold(caller, address, 'site:admin', async (site) => {
      const before = await this.find(site.id);
      if (before) requireMatch(before.version);
      const json = JSON.stringify(jsonSchema);
      if (before && JSON.stringify(before.jsonSchema) === json) return;
      await this.database.execute(
        `INSERT INTO site_adaptive_schema (site_id, json_schema, updated_at) VALUES ($1, $2, $3)
         ON CONFLICT (site_id) DO UPDATE SET json_schema = excluded.json_schema, updated_at = excluded.updated_at, version = site_adaptive_schema.version + 1`,
        [site.id, json, this.clock.now()],
      );
      await this.outbox.record({
        type: 'site_adaptive_schema_updated',
        organizationId: site.organizationId,
        target: site.id,
      });
    });
    return this.get(address.id);
  }
}
