import { Injectable } from '@nestjs/common';
import { DomainError, notFound } from '../../kernel/common/errors.js';
import { limitAt, WorkerPool } from '../../kernel/platform/workers/worker-pool.js';
import type { ContentPlace } from '../content/content-places.js';
import { ContentStore } from '../content/content-store.js';
import { DocumentEvaluation } from '../content/document-evaluation.js';
import { FIND_TARGETS, PREVIEW_DOCUMENT, type Refused } from '../content/document-tasks.js';
import type { Item } from '../content/domain/content-item.js';
import { ancestorsOf, indexPages } from '../content/domain/page-paths.js';
import { LinkTargets } from '../content/link-targets.js';
import { PageHtmlRenderer } from './page-html.service.js';
import type { RenderedMarkdownBody, RenderMarkdown } from './rendering.schema.js';

/** The page that Markdown belongs to, as far as its meaning depends on it. */
interface PageAround {
  readonly page: Pick<Item, 'props'>;
  /** The path of the folder of the page. */
  readonly directory: string;
}

/** Renders Markdown that is being written, beside its source; nothing is stored. */
@Injectable()
export class MarkdownPreviews {
  constructor(
    private readonly store: ContentStore,
    private readonly targets: LinkTargets,
    private readonly evaluation: DocumentEvaluation,
    private readonly pages: PageHtmlRenderer,
    private readonly workers: WorkerPool,
  ) {}

  async of(
    place: ContentPlace,
    userId: string,
    { markdown, page: pageId }: RenderMarkdown,
  ): Promise<RenderedMarkdownBody> {
    const { page, directory } = await this.around(place, pageId);
    const found = readable(await this.workers.run(FIND_TARGETS, { markdown, of: 'page' }).catch(limitAt('markdown')));
    const resolvers = await this.targets.resolve(
      place.point,
      found.map(({ target }) => ({ target, directory })),
      new Map(),
    );
    const resolve = resolvers(directory);
    const resolved = found.map(({ target, kind }) => ({ target, kind, ref: resolve(target, kind, 1) }));
    const { document, title } = readable(
      await this.workers.run(PREVIEW_DOCUMENT, { markdown, resolved }).catch(limitAt('markdown')),
    );
    const evaluated = await this.evaluation.several(place.point, 'deterministic-only')(page, document);
    return {
      object: 'rendered-markdown',
      ...(title !== undefined && { title }),
      html: await this.pages.render(place, userId, evaluated, 'deterministic-only', 'dataLine', () =>
        Promise.resolve(directory),
      ),
    };
  }

  private async around({ point }: ContentPlace, pageId: string | undefined): Promise<PageAround> {
    if (pageId === undefined) return { page: { props: {} }, directory: '' };
    const around = await this.store.withAncestors(point, [pageId]);
    const page = around.find(({ id }) => id === pageId);
    if (!page) throw notFound('Page');
    const above = ancestorsOf(page, indexPages(around));
    return { page, directory: above.flatMap(({ slug }) => slug ?? []).join('/') };
  }
}

function readable<Read extends object>(read: Read | Refused): Read {
  if (!('fault' in read)) return read;
  const { path, message } = read.fault;
  throw new DomainError('invalid', `${path}: ${message}`, [{ path, message }]);
}
