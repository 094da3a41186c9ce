import { setTimeout } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { SpaceAccess } from '../../kernel/access/access.service.js';
import { Addresses } from '../../kernel/common/addresses.js';
import { Clock } from '../../kernel/common/clock.js';
import { currentContext } from '../../kernel/common/context.js';
import { Database } from '../../kernel/common/database.js';
import { DomainError, invalid, notFound } from '../../kernel/common/errors.js';
import { Secrets } from '../../kernel/common/secrets.js';
import { ContentPlaces, type ContentPath } from '../../authoring/content/content-places.js';
import { FileGate } from '../../kernel/platform/storage/file-gate.js';
import type { ServedFile } from '../../kernel/platform/storage/served-file.js';
import type { PdfBody, PdfQuery } from './pdf.schema.js';
import type { PdfInputs, PdfReader } from './pdf-cache-key.js';
import { nameOf, PdfInputsReader } from './pdf-inputs-reader.js';
import { couldNot, RenderingQueue } from './rendering-queue.js';

/** Seconds for which an address works. */
const LIFETIME = 3600;
/** How long a download waits for its PDF, in milliseconds, and how long between two looks, at first and later on. */
const PATIENCE = 50_000;
const FIRST_LOOK = 150;
const LAST_LOOK = 1000;

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
    private readonly places: ContentPlaces,
    private readonly inputs: PdfInputsReader,
    private readonly queue: RenderingQueue,
    private readonly gate: FileGate,
  ) {}

  /**
   * Returns an address that downloads the PDF of a place for an hour; if there is none yet, starts it. Throws
   * `notFound` for an unknown page, `invalid` for `only` without a page, `conflict` for a PDF that could not be made,
   * and `tooManyRequests` while too many are waiting.
   */
  async url(space: SpaceAccess, path: ContentPath, query: PdfQuery): Promise<PdfBody> {
    if (query.only && query.page === undefined) throw invalid('only', 'needs page: the page that the PDF shall hold');
    const place = await this.places.at(space, path);
    const { wanted, name } = await this.inputs.read(place, query);
    return this.address(place.space.organizationId, wanted, name);
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
    return (await this.address(organizationId, wanted, nameOf(name))).url;
  }

  private async address(organizationId: string, wanted: PdfInputs, name: string): Promise<PdfBody> {
    const { id, status } = await this.queue.begun(organizationId, wanted, `${name}.pdf`);
    const expires = Math.floor(this.clock.now().getTime() / 1000) + LIFETIME;
    const site = currentContext()?.filesOf;
    const signature = this.secrets.sign('file-url', signedText(id, expires, site));
    const url = this.addresses.published(
      `/~pdf/${id}/${encodeURIComponent(`${name}.pdf`)}?expires=${expires}${site === undefined ? '' : `&site=${site}`}&signature=${signature}`,
    );
    return { url, status: status === 'done' ? 'completed' : 'pending' };
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
    const site = query.get('site') ?? undefined;
    const now = this.clock.now().getTime();
    const isValid =
      Number.isSafeInteger(expires) &&
      expires * 1000 > now &&
      this.secrets.verify('file-url', signedText(id, expires, site), query.get('signature') ?? '');
    if (!isValid)
      throw new DomainError('forbidden', 'The address of this PDF has expired or was changed: ask for a new one');
    await this.gate.pass(site);
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
}

function signedText(id: string, expires: number, site: string | undefined): string {
  return ['pdf', id, expires, ...(site === undefined ? [] : [site])].join('\n');
}
