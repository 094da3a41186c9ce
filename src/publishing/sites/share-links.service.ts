import { Injectable } from '@nestjs/common';
import { Addresses } from '../../kernel/common/addresses.js';
import { Clock } from '../../kernel/common/clock.js';
import { requireMatch, type Caller } from '../../kernel/common/context.js';
import { Database } from '../../kernel/common/database.js';
import { notFound } from '../../kernel/common/errors.js';
import { newId, randomCharacters } from '../../kernel/common/ids.js';
import { Pages, type Page, type PageRequest } from '../../kernel/common/page.js';
import { hashSecret, Secrets } from '../../kernel/common/secrets.js';
import { changesOf, fieldsGiven } from '../../kernel/platform/audit-changes.js';
import { Outbox } from '../../kernel/platform/outbox.js';
import type { CreateShareLink, ShareLink, UpdateShareLink } from './share-links.schema.js';
import type { SiteAddress } from './site-address.js';
import { SiteLock } from './site-lock.js';
import { SiteShareLink } from './site-share-link.entity.js';

/** 131 bits. */
const KEY_LENGTH = 22;

type Row = Omit<ShareLink, 'key'> & { readonly sealed: Buffer };

const COLUMNS = `link.id, link.name, link.active, link.key_sealed AS sealed, link.version, link.created_at AS "createdAt",
  CASE WHEN site.published AND site.visibility <> 'visitor-auth' THEN site_root(site.basename, site.hostname, site.proxy) END AS route`;
const FROM = 'FROM site_share_link link JOIN site ON site.id = link.site_id WHERE link.site_id = $1';

/** The links by which people without an account open sites that require a share key. */
@Injectable()
export class ShareLinks {
  constructor(
    private readonly database: Database,
    private readonly pages: Pages,
    private readonly clock: Clock,
    private readonly secrets: Secrets,
    private readonly outbox: Outbox,
    private readonly lock: SiteLock,
    private readonly plainAddresses: Addresses,
  ) {}

  /** Newest first. */
  async list(siteId: string, request: PageRequest): Promise<Page<ShareLink>> {
    const page = await this.pages.list<Row>(request, {
      scope: ['share-links', siteId],
      select: COLUMNS,
      from: FROM,
      values: [siteId],
      order: [
        { expression: 'link.created_at', type: 'timestamptz' },
        { expression: 'link.id', type: 'text' },
      ],
      direction: 'desc',
    });
    return page.map((row) => this.opened(row));
  }

  async create(caller: Caller, address: SiteAddress, { name }: CreateShareLink): Promise<ShareLink> {
    const id = newId();
    await this.lock.hold(caller, address, 'site:writeAuth', async (site) => {
      const key = randomCharacters(KEY_LENGTH);
      await this.database.of(SiteShareLink).insert({
        id,
        siteId: site.id,
        name,
        keyHash: hashSecret(key),
        keySealed: this.secrets.encrypt(key),
        createdAt: this.clock.now(),
      });
      await this.outbox.record({
        type: 'site_share_link_created',
        organizationId: site.organizationId,
        target: id,
        payload: { siteId: site.id },
      });
    });
    return this.get(address.id, id);
  }

  async update(caller: Caller, address: SiteAddress, id: string, changes: UpdateShareLink): Promise<ShareLink> {
    await this.lock.hold(caller, address, 'site:writeAuth', async (site) => {
      const row = await this.get(site.id, id);
      requireMatch(row.version);
      const name = changes.name ?? row.name;
      const active = changes.active ?? row.active;
      if (name === row.name && active === row.active) return;
      await this.database.of(SiteShareLink).update({ siteId: site.id, id }, { name, active });
      await this.outbox.record({
        type: 'site_share_link_updated',
        organizationId: site.organizationId,
        target: id,
        payload: { siteId: site.id, fields: fieldsGiven(changes) },
        audit: { changes: changesOf(row, { name, active }, ['name', 'active']) },
      });
    });
    return this.get(address.id, id);
  }

  /** Revokes a link: its key is refused from the next request on. */
  async remove(caller: Caller, address: SiteAddress, id: string): Promise<void> {
    await this.lock.hold(caller, address, 'site:writeAuth', async (site) => {
      const removed = await this.database.one<{ name: string }>(
        'DELETE FROM site_share_link WHERE site_id = $1 AND id = $2 RETURNING name',
        [site.id, id],
      );
      if (removed)
        await this.outbox.record({
          type: 'site_share_link_deleted',
          organizationId: site.organizationId,
          target: id,
          payload: { siteId: site.id },
          audit: { label: removed.name },
        });
    });
  }

  /**
   * The addresses in a response about a site: with a share key those that it opens, if it is valid for the site. A key
   * selects them, and grants nothing here.
   */
  async addresses(siteId: string, shareKey: string | undefined): Promise<Addresses> {
    if (shareKey === undefined) return this.plainAddresses;
    const row = await this.database.one<Row>(`SELECT ${COLUMNS} ${FROM} AND link.active AND link.key_hash = $2`, [
      siteId,
      hashSecret(shareKey),
    ]);
    return row?.route ? this.plainAddresses.withShareKey(row.route, shareKey) : this.plainAddresses;
  }

  private async get(siteId: string, id: string): Promise<ShareLink> {
    const row = await this.database.one<Row>(`SELECT ${COLUMNS} ${FROM} AND link.id = $2`, [siteId, id]);
    if (!row) throw notFound('Share link');
    return this.opened(row);
  }

  private opened({ sealed, ...row }: Row): ShareLink {
    return { ...row, key: this.secrets.decrypt(sealed) };
  }
}
