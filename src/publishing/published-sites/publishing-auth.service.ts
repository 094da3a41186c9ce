import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/common/clock.js';
import { requireMatch, type Caller } from '../../kernel/common/context.js';
import { Database } from '../../kernel/common/database.js';
import { invalid } from '../../kernel/common/errors.js';
import { randomCharacters } from '../../kernel/common/ids.js';
import { Secrets } from '../../kernel/common/secrets.js';
import { originOf } from '../../kernel/platform/audit-changes.js';
import { Outbox } from '../../kernel/platform/outbox.js';
import { SiteLock } from '../sites/site-lock.js';
import { LOCATION } from './domain/visitor-login-url.js';
import type { PublishingAuth, UpdatePublishingAuth } from './publishing-auth.schema.js';
import { SitePublishingAuth } from './site-publishing-auth.entity.js';

/** 256 bits, as much as HS256 can use. */
const KEY_LENGTH = 43;

interface SiteAddress {
  readonly id: string;
  readonly organizationId: string;
}

type Row = Omit<PublishingAuth, 'key'> & { readonly sealed: Buffer };

/** The login of sites' visitors: the key that signs their tokens, and the address of the login. */
@Injectable()
export class PublishingAuths {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly secrets: Secrets,
    private readonly outbox: Outbox,
    private readonly lock: SiteLock,
  ) {}

  /** The key of a site is created on first use. */
  async get(siteId: string): Promise<PublishingAuth> {
    const found = await this.find(siteId);
    if (found) return found;
    await this.database.execute(
      'INSERT INTO site_publishing_auth (site_id, key_sealed, updated_at) VALUES ($1, $2, $3) ON CONFLICT (site_id) DO NOTHING',
      [siteId, this.newKey(), this.clock.now()],
    );
    return this.get(siteId);
  }

  async update(caller: Caller, address: SiteAddress, { fallbackURL }: UpdatePublishingAuth): Promise<PublishingAuth> {
    if (typeof fallbackURL === 'string' && new URL(fallbackURL).searchParams.has(LOCATION)) {
      throw invalid(
        'fallbackURL',
        `cannot have a parameter ${LOCATION}, which carries the path that the visitor requested`,
      );
    }
    await this.lock.hold(caller, address, 'site:writeAuth', async (site) => {
      const row = await this.get(site.id);
      requireMatch(row.version);
      if (fallbackURL === undefined || fallbackURL === row.fallbackUrl) return;
      await this.database
        .of(SitePublishingAuth)
        .update({ siteId: site.id }, { fallbackUrl: fallbackURL, updatedAt: this.clock.now() });
      await this.outbox.record({
        type: 'site_publishing_auth_updated',
        organizationId: site.organizationId,
        target: site.id,
        payload: { fields: ['fallbackURL'] },
        audit: { changes: [{ field: 'fallbackURL', before: originOf(row.fallbackUrl), after: originOf(fallbackURL) }] },
      });
    });
    return this.get(address.id);
  }

  /** Replaces the key: tokens signed with the old one are refused from the next request on. */
  async regenerate(caller: Caller, address: SiteAddress): Promise<PublishingAuth> {
    await this.lock.hold(caller, address, 'site:writeAuth', async (site) => {
      await this.get(site.id);
      await this.database.execute(
        'UPDATE site_publishing_auth SET key_sealed = $2, generation = generation + 1, updated_at = $3, version = version + 1 WHERE site_id = $1',
        [site.id, this.newKey(), this.clock.now()],
      );
      await this.outbox.record({
        type: 'site_publishing_auth_regenerated',
        organizationId: site.organizationId,
        target: site.id,
      });
    });
    return this.get(address.id);
  }

  private async find(siteId: string): Promise<PublishingAuth | undefined> {
    const row = await this.database.one<Row>(
      'SELECT key_sealed AS sealed, generation, fallback_url AS "fallbackUrl", version FROM site_publishing_auth WHERE site_id = $1',
      [siteId],
    );
    return row && { ...row, key: this.secrets.decrypt(row.sealed) };
  }

  private newKey(): Buffer {
    return this.secrets.encrypt(randomCharacters(KEY_LENGTH));
  }
}
