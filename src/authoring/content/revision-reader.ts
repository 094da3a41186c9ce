import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/common/clock.js';
import { Immutable } from '../../kernel/common/envelope.interceptor.js';
import { FileUrls, hourBucket } from '../../kernel/platform/storage/file-urls.js';
import { ContentCache } from './content-cache.js';
import { ContentLines } from './content-lines.js';
import { ContentPlaces, viewOf, type ContentPlace } from './content-places.js';
import { ContentStore } from './content-store.js';
import type { ContentFlags } from './content.schema.js';
import { PageParts } from './page-parts.js';
import { PageTrees } from './page-trees.js';
import { presentFile, presentReusable, presentTags, presentVariables } from './present-content.js';

/** Reads of whole revisions. */
@Injectable()
export class RevisionReader {
  constructor(
    private readonly store: ContentStore,
    private readonly lines: ContentLines,
    private readonly places: ContentPlaces,
    private readonly cache: ContentCache,
    private readonly trees: PageTrees,
    private readonly parts: PageParts,
    private readonly files: FileUrls,
    private readonly clock: Clock,
  ) {}

  /** Everything of a revision except the bodies of its pages. */
  async get(place: ContentPlace, flags: ContentFlags): Promise<Immutable> {
    const row = await this.lines.revision(place.space.id, place.revisionId);
    const mergedFrom =
      row.mergedFrom === null || place.space.reader
        ? undefined
        : await this.lines.shownRequest(place.space, row.mergedFrom);
    const published = await this.places.publishedUrls(place);
    return this.cache.get(
      place,
      ['revision', flags, hourBucket(this.clock.now()), mergedFrom, published],
      flags,
      async (reading) => {
        const items = await this.store.ofKinds(place.point, ['file', 'reusable', 'variable', 'tag']);
        const { roots } = await this.trees.shown(place, reading);
        const view = viewOf(place, flags);
        const byAge = items.toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? 1 : -1));
        const revision = {
          object: 'revision',
          id: row.id,
          type: row.type,
          ...(mergedFrom && { mergedFrom }),
          ...(row.type === 'computed' && { sourceRevision: row.sourceRevision ?? row.parents[0] }),
          parents: row.parents,
          pages: [],
          files: byAge.flatMap((item) => (item.kind === 'file' ? [presentFile(item, this.files, view)] : [])),
          reusableContents: byAge.flatMap((item) => (item.kind === 'reusable' ? [presentReusable(item, view)] : [])),
          tags: presentTags(items),
          variables: presentVariables(items),
          createdAt: row.createdAt.toISOString(),
          ...(view.metadata && row.git !== null && { git: row.git }),
          urls: { app: place.app, ...published },
        };
        return this.parts.inside(revision, roots, view);
      },
    );
  }
}
