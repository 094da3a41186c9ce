import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/common/clock.js';
import { requireMatch } from '../../kernel/common/context.js';
import { Database } from '../../kernel/common/database.js';
import { databaseTime } from '../../kernel/common/database-time.js';
import { DomainError, invalid, notFound } from '../../kernel/common/errors.js';
import { newId } from '../../kernel/common/ids.js';
import { Pages, type Page, type PageRequest } from '../../kernel/common/page.js';
import { SPEC_SLUG } from '../../formats/document/computed-source.js';
import { Lanes } from '../../kernel/platform/jobs/lanes.js';
import { OutboundError } from '../../kernel/platform/outbound/outbound-error.js';
import { Outbound } from '../../kernel/platform/outbound/outbound.js';
import { Outbox } from '../../kernel/platform/outbox.js';
import { Blobs } from '../../kernel/platform/storage/blobs.js';
import { OpenApiSpec } from './openapi-spec.entity.js';
import { MAX_SOURCE_BYTES } from './registry-limits.js';
import type { OpenApiSource, OpenApiSpecRow, RefusedEffect, SpecVisibility } from './openapi.schema.js';

const MAX_SPECS = 1000;

const COLUMNS = `s.id, s.organization_id AS "organizationId", s.slug, s.source_url AS "sourceUrl", s.visibility, s.state, s.last_version_id AS "lastVersionId",
  s.processed_at AS "processedAt", s.error_code AS "errorCode", s.errors, s.error_count AS "errorCount", s.warnings, s.warning_count AS "warningCount", s.fail_on AS "failOn", s.created_at AS "createdAt", s.updated_at AS "updatedAt", s.version`;

/** A source as stored: an address, or the hash of the bytes of a text. */
interface KeptSource {
  readonly url: string | null;
  readonly hash: string | null;
  readonly tolerant: boolean | null;
  readonly failOn: RefusedEffect | null;
}

type Row = OpenApiSpecRow & Record<string, unknown>;

/** The specifications of organizations: their sources and visibility. Their content is read in the background. */
@Injectable()
export class OpenApiSpecs {
  constructor(
    private readonly database: Database,
    private readonly pages: Pages,
    private readonly clock: Clock,
    private readonly blobs: Blobs,
    private readonly outbound: Outbound,
    private readonly outbox: Outbox,
    private readonly lanes: Lanes,
  ) {}

  /** The specifications of an organization, latest first. */
  list(organizationId: string, request: PageRequest): Promise<Page<OpenApiSpecRow>> {
    return this.pages.list<Row>(request, {
      scope: ['openapi', organizationId],
      select: COLUMNS,
      from: 'FROM openapi_spec s WHERE s.organization_id = $1',
      values: [organizationId],
      order: [
        { expression: 's.created_at', type: 'timestamptz' },
        { expression: 's.id', type: 'text' },
      ],
      direction: 'desc',
    });
  }

  async get(organizationId: string, slug: string): Promise<OpenApiSpecRow> {
    const row = await this.database.one<Row>(
      `SELECT ${COLUMNS} FROM openapi_spec s WHERE s.organization_id = $1 AND s.slug = $2`,
      [organizationId, slug],
    );
    if (!row) throw notFound('Specification');
    return row;
  }

  /** The existing specifications of an organization, by slug. */
  async bySlugs(organizationId: string, slugs: readonly string[]): Promise<ReadonlyMap<string, OpenApiSpecRow>> {
    if (slugs.length === 0) return new Map();
    const rows = await this.database.query<Row>(
      `SELECT ${COLUMNS} FROM openapi_spec s WHERE s.organization_id = $1 AND s.slug = ANY ($2)`,
      [organizationId, slugs],
    );
    return new Map(rows.map((row) => [row.slug, row]));
  }

  /**
   * Registers a specification. Throws `invalid` for an address that is never reachable, `conflict` for a slug that is
   * taken and for too many.
   */
  async create(organizationId: string, slug: string, given: OpenApiSource): Promise<OpenApiSpecRow> {
    const { isNew, row } = await this.put(organizationId, slug, given, { mayExist: false });
    if (!isNew) throw new DomainError('conflict', `A specification ${slug} already exists`);
    return row;
  }

  /**
   * Sets the source of a specification, and processes it again even if the source is unchanged; creates it if it does
   * not exist.
   */
  replace(
    organizationId: string,
    slug: string,
    given: OpenApiSource,
  ): Promise<{ row: OpenApiSpecRow; isNew: boolean }> {
    return this.put(organizationId, slug, given, { mayExist: true });
  }

  async update(organizationId: string, slug: string, visibility: SpecVisibility): Promise<OpenApiSpecRow> {
    return this.database.transaction(async () => {
      const spec = await this.lock(organizationId, slug);
      if (!spec) throw notFound('Specification');
      requireMatch(spec.version);
      const changed = await this.database.execute(
        `UPDATE openapi_spec SET visibility = $3, updated_at = $4, version = version + 1
          WHERE organization_id = $1 AND id = $2 AND visibility <> $3`,
        [organizationId, spec.id, visibility, this.clock.now()],
      );
      if (changed > 0)
        await this.outbox.record({
          type: 'openapi_spec_updated',
          organizationId,
          target: spec.id,
          payload: { slug, fields: ['visibility'] },
          audit: { changes: [{ field: 'visibility', before: spec.visibility, after: visibility }] },
        });
      return this.get(organizationId, slug);
    });
  }

  /** Removes a specification with its versions. */
  async remove(organizationId: string, slug: string): Promise<void> {
    await this.database.transaction(async () => {
      const spec = await this.lock(organizationId, slug);
      if (!spec) return;
      requireMatch(spec.version);
      await this.database.of(OpenApiSpec).delete({ id: spec.id });
      await this.outbox.record({ type: 'openapi_spec_deleted', organizationId, target: spec.id, payload: { slug } });
    });
  }

  private async put(
    organizationId: string,
    slug: string,
    given: OpenApiSource,
    { mayExist }: { readonly mayExist: boolean },
  ): Promise<{ row: OpenApiSpecRow; isNew: boolean }> {
    if (!SPEC_SLUG.test(slug) || slug.length > 100)
      throw invalid('slug', 'must be 1 to 100 letters and digits, with single hyphens between them');
    const source = await this.kept(given);
    return this.database.transaction(async () => {
      // Concurrent registrations wait here, so that the count is correct.
      await this.database.query('SELECT FROM organization WHERE id = $1 FOR NO KEY UPDATE', [organizationId]);
      // The lane is locked before the specification, as in its processing.
      await this.lanes.wake('openapi.process', organizationId);
      const before = await this.lock(organizationId, slug);
      if (before && !mayExist) return { row: await this.get(organizationId, slug), isNew: false };
      if (before) await this.renew(organizationId, slug, before, source);
      else await this.insert(organizationId, slug, source);
      return { row: await this.get(organizationId, slug), isNew: !before };
    });
  }

  private async insert(
    organizationId: string,
    slug: string,
    { url, hash, tolerant, failOn }: KeptSource,
  ): Promise<void> {
    const held = await this.database.one<{ count: number }>(
      'SELECT count(*)::int AS count FROM openapi_spec WHERE organization_id = $1',
      [organizationId],
    );
    if ((held?.count ?? 0) >= MAX_SPECS)
      throw new DomainError('conflict', `An organization has ${MAX_SPECS} specifications at most`);
    const now = this.clock.now();
    const id = newId(now.getTime());
    await this.database.execute(
      `INSERT INTO openapi_spec (id, organization_id, slug, source_url, source_hash, tolerant, fail_on, visibility, state, due_at, created_at, updated_at) VALUES ($1, $2, $3, $4, decode($5, 'hex'), $7, $8, 'private', 'pending', ${databaseTime()}, $6, $6)`,
      [id, organizationId, slug, url, hash, now, tolerant, failOn],
    );
    await this.outbox.record({ type: 'openapi_spec_created', organizationId, target: id, payload: { slug } });
  }

  private async renew(
    organizationId: string,
    slug: string,
    { id, version }: { readonly id: string; readonly version: number },
    { url, hash, tolerant, failOn }: KeptSource,
  ): Promise<void> {
    requireMatch(version);
    await this.database.execute(
      `UPDATE openapi_spec SET source_url = $2, source_hash = decode($3, 'hex'), tolerant = $6, fail_on = $7, source_number = source_number + 1, state = 'pending', due_at = ${databaseTime()}, attempts = 0, updated_at = $4, version = version + 1,
         etag = CASE WHEN source_url = $2 AND tolerant IS NOT DISTINCT FROM $6 THEN etag END, last_modified = CASE WHEN source_url = $2 AND tolerant IS NOT DISTINCT FROM $6 THEN last_modified END
        WHERE organization_id = $5 AND id = $1`,
      [id, url, hash, this.clock.now(), organizationId, tolerant, failOn],
    );
    await this.outbox.record({
      type: 'openapi_spec_updated',
      organizationId,
      target: id,
      payload: { slug, fields: ['source'] },
    });
  }

  private lock(
    organizationId: string,
    slug: string,
  ): Promise<{ id: string; visibility: SpecVisibility; version: number } | undefined> {
    return this.database.one<{ id: string; visibility: SpecVisibility; version: number }>(
      'SELECT id, visibility, version FROM openapi_spec WHERE organization_id = $1 AND slug = $2 FOR NO KEY UPDATE',
      [organizationId, slug],
    );
  }

  /** Stores the text of a source. Throws `invalid` for an invalid source. */
  private async kept({ url, text, ...wanted }: OpenApiSource): Promise<KeptSource> {
    const { tolerant = null, failOn = null } = wanted;
    if ((url === undefined) === (text === undefined)) throw invalid('source', 'must have either url or text');
    if (url !== undefined) return { url: this.reachable(url), hash: null, tolerant, failOn };
    const { hash } = await this.blobs.store(Buffer.from(text ?? ''), {
      name: 'specification',
      claimed: 'text/plain',
      maxBytes: MAX_SOURCE_BYTES,
    });
    return { url: null, hash, tolerant, failOn };
  }

  private reachable(url: string): string {
    try {
      this.outbound.check(url);
      return url;
    } catch (error) {
      throw error instanceof OutboundError ? invalid('source.url', error.message) : error;
    }
  }
}
