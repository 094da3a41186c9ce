import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Immutable } from '../../kernel/common/envelope.interceptor.js';
import type { ContentRef } from '../../formats/document/types.js';
import type { Evaluated } from '../../formats/document/evaluate.js';
import { ComputedPages } from '../content/computed-pages.js';
import type { ContentPlace } from '../content/content-places.js';
import type { BlockNaming } from '../../formats/html/render-context.js';
import { ContentReader } from '../content/content-reader.js';
import { IntegrationBlocks } from '../content/integration-blocks.js';
import { RelativeLinks } from '../content/relative-links.js';
import { ContentHtml, contentFacts, writtenIn } from './content-html.js';
import type { PageHtmlBody, PageHtmlQuery } from './rendering.schema.js';
import { WorkspaceReferences } from './workspace-references.js';

/** Renders pages for the people who write them. */
@Injectable()
export class PageHtmlRenderer {
  constructor(
    private readonly reader: ContentReader,
    private readonly computed: ComputedPages,
    private readonly integrations: IntegrationBlocks,
    private readonly contents: ContentHtml,
    private readonly relative: RelativeLinks,
    private readonly references: WorkspaceReferences,
  ) {}

  /**
   * The body of a page as HTML. The ETag is that of the answer itself: names and addresses in it depend on the caller and
   * on the hour.
   */
  async of(place: ContentPlace, userId: string, page: string, query: PageHtmlQuery): Promise<Immutable> {
    const stored = await this.reader.documentOf(place, 'page', page, query.evaluated, query.computed);
    const html = await this.render(place, userId, stored.json, query.evaluated, 'dataBlock', (references) =>
      this.relative.folderOf(place.point, page, references),
    );
    const body: PageHtmlBody = { object: 'page-html', page, revision: place.revisionId, html };
    const json = JSON.stringify(body);
    const hash = createHash('sha256').update(json).digest('base64url').slice(0, 16);
    return new Immutable(json, `"${place.revisionId}.${hash}"`);
  }

  /**
   * A document, as JSON, as HTML whose elements name their blocks; its expressions are evaluated already. `folder` is
   * asked for the one of the page, if references depend on it.
   */
  async render(
    place: ContentPlace,
    userId: string,
    json: string,
    evaluated: Evaluated,
    naming: BlockNaming,
    folder: (references: readonly ContentRef[]) => Promise<string>,
  ): Promise<string> {
    const { organizationId, id: spaceId } = place.space;
    const document = await this.integrations.rendered(json);
    const at = { organizationId, point: place.point };
    const { documents, reused, specifications } = await this.contents.read([document], at, { evaluated });
    const [read] = documents;
    if (!read) return '';
    const written = writtenIn(read, await folder(read.references));
    const references = await this.references.of(place, userId, written, this.computed.reading(at));
    const descriptions = await specifications.read(read.drawn);
    const facts = contentFacts(read, { reused, descriptions, spaceId }, references);
    return (await this.contents.render(read, facts, organizationId, naming)).html;
  }
}
