import { Injectable } from '@nestjs/common';
import { DomainError, invalid, notFound } from '../../kernel/common/errors.js';
import { limitAt, WorkerPool } from '../../kernel/platform/workers/worker-pool.js';
import type { ContentPlace } from '../content/content-places.js';
import { ContentStore } from '../content/content-store.js';
import { DocumentEvaluation } from '../content/document-evaluation.js';
import {
  FIND_TARGETS,
  INTERPRET_DOCUMENT,
  PREVIEW_DOCUMENT,
  type PreviewDocument,
  type Refused,
} from '../content/document-tasks.js';
import type { Item } from '../content/domain/content-item.js';
import { ancestorsOf, indexPages } from '../content/domain/page-paths.js';
import { document as emptyDocument } from '../../formats/document/build.js';
import { withoutKeys } from '../../formats/document/hash.js';
import type { Document } from '../../formats/document/types.js';
import { LinkTargets } from '../content/link-targets.js';
import { PageHtmlRenderer } from './page-html.service.js';
import type { RenderedMarkdownBody, RenderMarkdown } from './rendering.schema.js';

/** The page that Markdown belongs to, as far as its meaning depends on it. */
interface PageAround {
  readonly page: Pick<Item, 'props'>;
  /** The path of the folder of the page. */
  readonly directory: string;
}

/** Reads and renders content that is being written; nothing is stored. */
@Injectable()
export class MarkdownPreviews {
  constructor(
    private readonly store: ContentStore,
    private readonly targets: LinkTargets,
    private readonly evaluation: DocumentEvaluation,
    private readonly pages: PageHtmlRenderer,
    private readonly workers: WorkerPool,
  ) {}

  async of(place: ContentPlace, userId: string, given: RenderMarkdown): Promise<RenderedMarkdownBody> {
    const { page, directory } = await this.around(place, given.page);
    const { document, title } = await this.read(place, directory, given);
    const named = { object: 'rendered-markdown' as const, ...(title !== undefined && { title }) };
    if (given.format === 'document') return { ...named, document: withoutKeys(JSON.parse(document) as Document) };
    const evaluated = await this.evaluation.several(place.point, 'deterministic-only')(page, document);
    const naming = given.markdown === undefined ? 'dataBlock' : 'dataLine';
    return {
      ...named,
      html: await this.pages.render(place, userId, evaluated, 'deterministic-only', naming, () =>
        Promise.resolve(directory),
      ),
    };
  }

  /** The document that is given, as JSON. */
  private async read(
    place: ContentPlace,
    directory: string,
    { markdown, document }: RenderMarkdown,
  ): Promise<PreviewDocument> {
    if (markdown !== undefined && document !== undefined)
      throw invalid('document', 'only one of markdown and document is given');
    if (markdown === undefined && document === undefined)
      throw invalid('markdown', 'one of markdown and document is given');
    if (markdown === undefined) return this.complete(JSON.stringify(document));
    const found = readable(await this.workers.run(FIND_TARGETS, { markdown, of: 'page' }).catch(limitAt('markdown')));
    const resolvers = await this.targets.resolve(
      place.point,
      found.map(({ target }) => ({ target, directory })),
      new Map(),
    );
    const resolve = resolvers(directory);
    const resolved = found.map(({ target, kind }) => ({ target, kind, ref: resolve(target, kind, 1) }));
    return readable(await this.workers.run(PREVIEW_DOCUMENT, { markdown, resolved }).catch(limitAt('markdown')));
  }

  /** A document of the caller, in the form in which documents are stored. */
  private async complete(json: string): Promise<PreviewDocument> {
    const order = { given: { json }, resolved: [] };
    const read = readable(await this.workers.run(INTERPRET_DOCUMENT, order).catch(limitAt('document')));
    return { document: JSON.stringify(read.document ?? emptyDocument([])) };
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
