import { setTimeout } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { SpaceAccess } from '../../kernel/access/access.service.js';
import { Addresses } from '../../kernel/common/addresses.js';
import { Clock } from '../../kernel/common/clock.js';
import { Database } from '../../kernel/common/database.js';
import { DomainError, invalid, notFound } from '../../kernel/common/errors.js';
import { newId } from '../../kernel/common/ids.js';
import { Secrets } from '../../kernel/common/secrets.js';
import { ChangeRequestStore } from '../../authoring/change-requests/change-request-store.js';
import { ComputedPages, type UsedVersions } from '../../authoring/content/computed-pages.js';
import { ContentReader, type ContentPath, type ContentPlace } from '../../authoring/content/content-reader.js';
import { ContentStore } from '../../authoring/content/content-store.js';
import { Jobs } from '../../kernel/platform/jobs/jobs.js';
import type { ServedFile } from '../../kernel/platform/storage/file-endpoint.js';
import type { PdfQuery } from './pdf.schema.js';
import { pdfCacheKey, type PdfReader, type PdfInputs } from './pdf-cache-key.js';

/** Seconds for which an address works. */
const LIFETIME = 3600;
/** Milliseconds for which a failure is reported before the PDF is tried again. */
const FAILURE_KEPT = 10 * 60_000;
/** Milliseconds after which an abandoned PDF is begun again. */
const STUCK_AFTER = 3 * 3600_000;
/** Hours for which a PDF is kept after the last request. */
const KEPT_HOURS = 24;
/**
 * PDFs of one space that wait to be rendered: so many for members, and as many for readers of published sites, who
 * never delay members.
 */
const MOST_PENDING = 20;
/** Milliseconds that a download waits for its PDF, and between two checks, at first and later on. */
const PATIENCE = 50_000;
const FIRST_LOOK = 150;
const LAST_LOOK = 1000;

/** Waiting PDFs of the space $1: those for readers, or those for members. */
const WAITING = `SELECT count(*)::int AS count FROM pdf_rendering WHERE space_id = $1 AND status = 'pending' AND (wanted -> 'reader' IS NOT NULL) = $2::boolean`;

interface RenderingRow {
  readonly [column: string]: unknown;
  readonly id: string;
  readonly status: 'pending' | 'done' | 'failed';
  readonly used: [string, string | null][] | null;
  readonly error: string | null;
  readonly createdAt: Date;
  readonly completedAt: Date | null;
  readonly isNew: boolean;
}

interface DownloadRow {
  readonly [column: string]: unknown;
  readonly status: 'pending' | 'done' | 'failed';
  readonly name: string;
  readonly hash: string | null;
  readonly size: string | null;
  readonly error: string | null;
}

/** PDFs on request: each is rendered once, however many callers request it, and downloaded from a signed address. */
@Injectable()
export class Renderings {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly secrets: Secrets,
    private readonly addresses: Addresses,
    private readonly reader: ContentReader,
    private readonly requests: ChangeRequestStore,
    private readonly store: ContentStore,
    private readonly computed: ComputedPages,
    private readonly jobs: Jobs,
  ) {}

  /**
   * Returns an address that downloads the PDF of a place for an hour; if there is none yet, starts it. Throws
   * `notFound` for an unknown page, `invalid` for `only` without a page, `conflict` for a PDF that could not be made,
   * and `tooManyRequests` while too many are waiting.
   */
  async url(space: SpaceAccess, path: ContentPath, query: PdfQuery): Promise<{ url: string }> {
    if (query.only && query.page === undefined) throw invalid('only', 'needs page: the page to render');
    const place = await this.reader.at(space, path);
    const { wanted, name } = await this.wanted(place, query);
    return { url: await this.address(place.space.organizationId, wanted, name) };
  }

  /**
   * Like `url` for readers of a published site: `wanted` lists the visible pages, and `name` becomes the name of the
   * file.
   */
  async urlForReaders(
    organizationId: string,
    wanted: PdfInputs & { readonly reader: PdfReader },
    name: string,
  ): Promise<string> {
    return this.address(organizationId, wanted, nameOf(name));
  }

  private async address(organizationId: string, wanted: PdfInputs, name: string): Promise<string> {
    const id = await this.begun(organizationId, wanted, `${name}.pdf`);
    const expires = Math.floor(this.clock.now().getTime() / 1000) + LIFETIME;
    const signature = this.secrets.sign('file-url', signedText(id, expires));
    return this.addresses.published(
      `/~pdf/${id}/${encodeURIComponent(`${name}.pdf`)}?expires=${expires}&signature=${signature}`,
    );
  }

  /**
   * Returns the file of an address, as soon as it is ready, and the seconds for which the address works. Throws
   * `forbidden` for a wrong address, `unavailable` while the PDF is still being rendered, and `conflict` for one that
   * could not be made.
   */
  async download(
    id: string,
    query: URLSearchParams,
    isOpen: () => boolean,
  ): Promise<{ file: ServedFile; maxAge: number }> {
    const expires = Number(query.get('expires'));
    const now = this.clock.now().getTime();
    const isValid =
      Number.isSafeInteger(expires) &&
      expires * 1000 > now &&
      this.secrets.verify('file-url', signedText(id, expires), query.get('signature') ?? '');
    if (!isValid)
      throw new DomainError('forbidden', 'The address of this PDF has expired or was changed: ask for a new one');
    const begin = performance.now();
    for (let pause = FIRST_LOOK; isOpen(); pause = Math.min(LAST_LOOK, pause * 1.3)) {
      const row = await this.database.one<DownloadRow>(
        `SELECT r.status, r.name, encode(r.hash, 'hex') AS hash, r.size, r.error FROM pdf_rendering r JOIN space s ON s.id = r.space_id AND s.deleted_at IS NULL WHERE r.id = $1`,
        [id],
      );
      if (!row) throw notFound('PDF');
      if (row.status === 'failed') throw couldNot(row.error);
      if (row.hash !== null) {
        return {
          file: {
            hash: row.hash,
            name: row.name,
            contentType: 'application/pdf',
            size: Number(row.size),
            visibility: 'signed',
          },
          maxAge: expires - Math.ceil(now / 1000),
        };
      }
      if (performance.now() - begin > PATIENCE) break;
      await setTimeout(pause);
    }
    throw new DomainError('unavailable', 'The PDF is still being made: try again in a moment', [], {
      'Retry-After': '10',
    });
  }

  /**
   * Removes PDFs that were not requested for a day, and returns their number. Their bytes are removed with other
   * unreferenced ones.
   */
  removeStale(): Promise<number> {
    return this.database.execute('DELETE FROM pdf_rendering WHERE asked_at < $1', [
      new Date(this.clock.now().getTime() - KEPT_HOURS * 3600_000),
    ]);
  }

  private async wanted(place: ContentPlace, { page, only }: PdfQuery): Promise<{ wanted: PdfInputs; name: string }> {
    const { point, space, app } = place;
    const row = await this.database.one<{ title: string }>('SELECT title FROM space WHERE id = $1', [space.id]);
    const title = row?.title ?? '';
    const pageTitle = page === undefined ? undefined : await this.titleOf(place, page);
    const request = point.line === null ? undefined : await this.requests.shown(space, point.line);
    const wanted: PdfInputs = {
      title,
      ...(request && {
        subtitle: `Change request #${request.number}${request.subject === '' ? '' : `: ${request.subject}`}`,
      }),
      language: space.language,
      point,
      app,
      ...(page !== undefined && { page }),
      isAlone: only,
      showsNames: space.guestId === null,
    };
    return { wanted, name: nameOf(pageTitle ?? title) };
  }

  private async titleOf(place: ContentPlace, page: string): Promise<string> {
    const item =
      (await this.store.get(place.point, 'page', page)) ??
      (await this.computed.reading({ organizationId: place.space.organizationId, point: place.point }).byId(page))
        ?.page;
    if (!item) throw notFound('Page');
    return item.title;
  }

  /** The id of the rendering of a PDF: of an existing or pending one, else of a new one. */
  private async begun(organizationId: string, wanted: PdfInputs, name: string): Promise<string> {
    const key = pdfCacheKey(wanted);
    for (;;) {
      const row = await this.database.transaction(() => this.find(key, wanted, name));
      if (row.isNew || (await this.isCurrent(organizationId, wanted, row))) return row.id;
      await this.database.execute('UPDATE pdf_rendering SET key = NULL WHERE id = $1 AND key = $2', [row.id, key]);
    }
  }

  private async find(key: Buffer, wanted: PdfInputs, name: string): Promise<RenderingRow> {
    const {
      point: { spaceId },
      reader,
    } = wanted;
    const now = this.clock.now();
    const row = await this.database.one<RenderingRow>(
      `INSERT INTO pdf_rendering (id, space_id, key, status, wanted, name, created_at, asked_at) VALUES ($1, $2, $3, 'pending', $4, $5, $6, $6)
       ON CONFLICT (space_id, key) DO UPDATE SET asked_at = excluded.asked_at
       RETURNING id, status, used, error, created_at AS "createdAt", completed_at AS "completedAt", id = $1 AS "isNew"`,
      [newId(now.getTime()), spaceId, key, JSON.stringify(wanted), name, now],
    );
    if (!row) throw new Error('the PDF was not recorded');
    if (!row.isNew) return row;
    const waiting = await this.database.one<{ count: number }>(WAITING, [spaceId, reader !== undefined]);
    if ((waiting?.count ?? 0) > MOST_PENDING)
      throw new DomainError(
        'tooManyRequests',
        `${MOST_PENDING} PDFs of this space are already being made: wait for one of them`,
        [],
        { 'Retry-After': '30' },
      );
    await this.jobs.enqueue('pdf.render', { rendering: row.id });
    return row;
  }

  private async isCurrent(organizationId: string, { point }: PdfInputs, row: RenderingRow): Promise<boolean> {
    const now = this.clock.now().getTime();
    if (row.status === 'pending') return now - row.createdAt.getTime() < STUCK_AFTER;
    if (row.status === 'failed') {
      if (now - (row.completedAt?.getTime() ?? 0) >= FAILURE_KEPT) return false;
      throw couldNot(row.error);
    }
    const used: UsedVersions = new Map(row.used ?? []);
    return used.size === 0 || this.computed.areCurrent({ organizationId, point }, used);
  }
}

/** Makes a valid file name. */
function nameOf(title: string): string {
  const name = title
    .replace(/[\p{Cc}/\\]+/gu, ' ')
    .trim()
    .slice(0, 100)
    .replace(/\p{Surrogate}/gu, '');
  return name === '' ? 'space' : name;
}

function couldNot(reason: string | null): DomainError {
  return new DomainError('conflict', `The PDF could not be made: ${reason ?? 'the server failed'}`);
}

function signedText(id: string, expires: number): string {
  return `pdf\n${id}\n${expires}`;
}
