import { Injectable } from '@nestjs/common';
import { ChangeRequestStore } from '../../authoring/change-requests/change-request-store.js';
import { ComputedPages } from '../../authoring/content/computed-pages.js';
import type { ContentPlace } from '../../authoring/content/content-places.js';
import { ContentStore } from '../../authoring/content/content-store.js';
import { Database } from '../../kernel/common/database.js';
import { notFound } from '../../kernel/common/errors.js';
import type { PdfInputs } from './pdf-cache-key.js';
import type { PdfQuery } from './pdf.schema.js';

/** Reads what the PDFs that members ask for are of. */
@Injectable()
export class PdfInputsReader {
  constructor(
    private readonly database: Database,
    private readonly requests: ChangeRequestStore,
    private readonly store: ContentStore,
    private readonly computed: ComputedPages,
  ) {}

  /** The inputs of a PDF and the name of its file; throws `notFound` for an unknown page. */
  async read(place: ContentPlace, { page, only }: PdfQuery): Promise<{ wanted: PdfInputs; name: string }> {
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
}

/** A name that files can have. */
export function nameOf(title: string): string {
  const name = title
    .replace(/[\p{Cc}/\\]+/gu, ' ')
    .trim()
    .slice(0, 100)
    .replace(/\p{Surrogate}/gu, '');
  return name === '' ? 'space' : name;
}
