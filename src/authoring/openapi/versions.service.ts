import { buffer } from 'node:stream/consumers';
import { Injectable } from '@nestjs/common';
import { Addresses } from '../../kernel/common/addresses.js';
import { Clock } from '../../kernel/common/clock.js';
import { Database } from '../../kernel/common/database.js';
import { Immutable } from '../../kernel/common/envelope.interceptor.js';
import { notFound } from '../../kernel/common/errors.js';
import { Pages, type Page, type PageRequest } from '../../kernel/common/page.js';
import type { ServedFile } from '../../kernel/platform/storage/served-file.js';
import { FileStorage } from '../../kernel/platform/storage/file-storage.js';
import { FileUrls, hourBucket } from '../../kernel/platform/storage/file-urls.js';
import { publicUrl, versionUrl, type OpenApiVersionRow } from './openapi.schema.js';

const COLUMNS = `v.id, v.organization_id AS "organizationId", s.slug, encode(v.hash, 'hex') AS hash, v.size::float8 AS size, v.created_at AS "createdAt", v.change_counts AS "changeCounts",
  s.id AS "specId", s.source_url AS "sourceUrl", s.visibility, s.version AS "specVersion"`;
/** The beginning of the content of a version, up to its specification. */
const FILE =
  '{"filesystem":[{"dir":"./","isEntrypoint":true,"references":[],"filename":"openapi.json","specification":';
const FROM = 'FROM openapi_version v JOIN openapi_spec s ON s.organization_id = v.organization_id AND s.id = v.spec_id';

type Row = OpenApiVersionRow & Record<string, unknown>;

/** The content of specifications, version by version. */
@Injectable()
export class OpenApiVersions {
  constructor(
    private readonly database: Database,
    private readonly pages: Pages,
    private readonly clock: Clock,
    private readonly storage: FileStorage,
    private readonly files: FileUrls,
    private readonly addresses: Addresses,
  ) {}

  /** The versions of a specification, latest first. */
  async list(organizationId: string, slug: string, request: PageRequest): Promise<Page<OpenApiVersionRow>> {
    const spec = await this.database.one<{ id: string }>(
      'SELECT id FROM openapi_spec WHERE organization_id = $1 AND slug = $2',
      [organizationId, slug],
    );
    if (!spec) throw notFound('Specification');
    return this.pages.list<Row>(request, {
      scope: ['openapi-versions', spec.id],
      select: COLUMNS,
      from: `${FROM} WHERE v.organization_id = $1 AND v.spec_id = $2`,
      values: [organizationId, spec.id],
      order: [
        { expression: 'v.created_at', type: 'timestamptz' },
        { expression: 'v.id', type: 'text' },
      ],
      direction: 'desc',
    });
  }

  /** A version, or the latest without an id. */
  async get(organizationId: string, slug: string, id?: string): Promise<OpenApiVersionRow> {
    const row = await this.database.one<Row>(
      `SELECT ${COLUMNS} ${FROM} WHERE s.organization_id = $1 AND s.slug = $2 AND v.id = coalesce($3, s.last_version_id)`,
      [organizationId, slug, id ?? null],
    );
    if (!row) throw notFound('Version');
    return row;
  }

  /** The content of a version, or of the latest without an id. */
  async content(organizationId: string, slug: string, id?: string): Promise<Immutable> {
    const row = await this.get(organizationId, slug, id);
    const specification = await buffer(await this.storage.get(row.hash));
    const url = versionUrl(row, this.files);
    const isPublic = row.visibility === 'public';
    const urls = {
      source: row.sourceUrl ?? url,
      public: isPublic ? (row.sourceUrl ?? publicUrl({ id: row.specId, slug: row.slug }, this.addresses)) : null,
    };
    return new Immutable(
      Buffer.concat([
        Buffer.from(FILE),
        specification,
        Buffer.from(`}],"url":${JSON.stringify(url)},"urls":${JSON.stringify(urls)}}`),
      ]),
      `"${row.id}.${hourBucket(this.clock.now())}.${row.specVersion}"`,
    );
  }

  /** The text of the latest version, in which all that it refers to elsewhere is included. */
  async raw(organizationId: string, slug: string): Promise<Immutable> {
    const row = await this.get(organizationId, slug);
    const text = (await buffer(await this.storage.get(row.hash))).toString();
    return new Immutable(JSON.stringify({ text, format: 'json' }), `"${row.id}.raw"`);
  }

  /**
   * A version by its id, for callers with an address that was made for it; or the latest version by the id of a public
   * specification.
   */
  async served(id: string): Promise<ServedFile | undefined> {
    const row = await this.database.one<Row & { isVersion: boolean }>(
      `SELECT ${COLUMNS}, v.id = $1 AS "isVersion" ${FROM} WHERE v.id = $1
       UNION ALL
       SELECT ${COLUMNS}, false ${FROM} WHERE s.id = $1 AND v.id = s.last_version_id AND s.visibility = 'public'`,
      [id],
    );
    return (
      row && {
        hash: row.hash,
        name: `${row.slug}.json`,
        contentType: 'application/json',
        size: row.size,
        visibility: row.isVersion ? 'signed' : 'public',
      }
    );
  }
}
