import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { computedSourceFault, plainSource, type ComputedSource } from '../../formats/document/computed-source.js';
import type { SpaceAccess } from '../../kernel/access/access.service.js';
import type { ReaderAccess } from '../../kernel/access/readers.js';
import type { Immutable } from '../../kernel/common/envelope.interceptor.js';
import { invalid, notFound } from '../../kernel/common/errors.js';
import { isId } from '../../kernel/common/ids.js';
import type { ComputedReading } from './computed-pages.js';
import { ContentCache } from './content-cache.js';
import { ContentPlaces, viewOf } from './content-places.js';
import { DocumentRenderer } from './document-renderer.js';
import { base62, ID_LENGTH, sourceOfDerived } from './domain/computed/expansion.js';
import { blankItem, type Item } from './domain/content-item.js';
import { presentTree } from './present-content.js';

/** The time of pages until that of their specification is known. */
const EVER = new Date(0);

interface Asker {
  readonly space: SpaceAccess;
  readonly reader: ReaderAccess | undefined;
}

/** Computes content from sources that no page has to have, in the current content of a space. */
@Injectable()
export class ComputedContent {
  constructor(
    private readonly places: ContentPlaces,
    private readonly cache: ContentCache,
    private readonly documents: DocumentRenderer,
  ) {}

  /** The body of a page of a specification. Throws `invalid` for another source, `notFound` without the specification. */
  async document(asker: Asker, source: object, seed: string): Promise<Immutable> {
    const page = pageOf('document', source, seed);
    return this.compute(asker, page, async (reading) => {
      const body = await reading.body(page);
      if (!body) throw notFound('Specification');
      return this.documents.withIds(JSON.stringify(body));
    });
  }

  /** The pages of a specification, with the same errors. */
  async revision(asker: Asker, source: object, seed: string): Promise<Immutable> {
    const page = pageOf('computed', source, seed);
    const place = await this.places.at(asker.space, {});
    return this.compute(asker, page, async (reading) => {
      const items = await reading.expand([page]);
      if (items.some(({ id }) => id === page.id)) throw notFound('Specification');
      const pages = items.map((item) => {
        const at = reading.changedAt(item);
        return { ...item, createdAt: at, updatedAt: at };
      });
      return JSON.stringify({
        pages: presentTree(pages, viewOf(place, { metadata: false, computed: true })),
        files: [],
        reusableContents: [],
      });
    });
  }

  private async compute(
    { space, reader }: Asker,
    { id, type, props }: Item,
    make: (reading: ComputedReading) => Promise<string>,
  ): Promise<Immutable> {
    const source = props['computed'] as ComputedSource;
    if (reader && !(await reader.names('openapi', source.dependencies.spec.ref.spec))) throw notFound('Specification');
    const place = await this.places.at(space, {});
    return this.cache.get(place, ['computed', type, id, source], { computed: true }, (reading) => {
      if (!reading) throw new Error('content is computed without a reading');
      return make(reading);
    });
  }
}

/** A page of a type with a source, at the root of nothing else. */
function pageOf(type: 'document' | 'computed', source: object, seed: string): Item {
  const fault = computedSourceFault(source, type);
  if (fault) throw invalid(['source', fault.path].filter(Boolean).join('.'), fault.message);
  // A page that lists those below it refers to them by ids of the same source.
  const isOwnId = isId(seed) || (type === 'document' && isId(sourceOfDerived(seed)) && /^[0-9A-Za-z]+$/.test(seed));
  const id = isOwnId ? seed : base62(createHash('sha256').update(seed).digest(), ID_LENGTH);
  const page = blankItem('page', id, '', EVER);
  return { ...page, type, props: { computed: plainSource(source as ComputedSource) } };
}
