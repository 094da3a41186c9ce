import { Injectable } from '@nestjs/common';
import type { SpaceAccess } from '../../kernel/access/access.service.js';
import { WorkerPool } from '../../kernel/platform/workers/worker-pool.js';
import type { FrameChange } from '../../formats/document/diff/diff-types.js';
import type { ShownDiff } from '../../formats/document/diff/present-diff.js';
import { factsOf, EMPTY_RESOLVER, type ContentFacts } from '../../formats/html/reference-facts.js';
import type { ContentPath } from '../content/content-places.js';
import { DOCUMENT_MARKDOWN } from '../content/document-tasks.js';
import { MarkdownLinks } from '../content/markdown-links.js';
import { serializeTitle } from '../content/serialize-title.js';
import { ComparedPages, pageChange, type ComparedPage, type ComparedState } from './compared-pages.js';
import { ContentHtml, contentFacts, writtenIn } from './content-html.js';
import { BLOCK_DIFF, DOCUMENT_DATA_DIFF, UNIFIED_DIFF, type MarkdownVersion } from './diff-tasks.js';
import type { ContentDiffBody, PageDiffBody, PageDiffQuery, ReusableContentDiffBody } from './page-diff.schema.js';
import { WorkspaceReferences } from './workspace-references.js';

/** Compares two versions of a page: as blocks, as HTML or as lines of Markdown. */
@Injectable()
export class PageDiffs {
  constructor(
    private readonly pages: ComparedPages,
    private readonly contents: ContentHtml,
    private readonly references: WorkspaceReferences,
    private readonly links: MarkdownLinks,
    private readonly workers: WorkerPool,
  ) {}

  /** The changes that a change request or a revision made in a page. */
  async ofPage(
    space: SpaceAccess,
    userId: string,
    path: ContentPath,
    page: string,
    query: PageDiffQuery,
  ): Promise<PageDiffBody> {
    const compared = await this.pages.of(space, path, 'page', page);
    return { object: 'page-diff', page, ...(await this.diff(compared, userId, query)) };
  }

  /** The same for a reusable content. */
  async ofReusable(
    space: SpaceAccess,
    userId: string,
    path: ContentPath,
    reusableContent: string,
    query: PageDiffQuery,
  ): Promise<ReusableContentDiffBody> {
    const compared = await this.pages.of(space, path, 'reusable', reusableContent);
    return { object: 'reusable-content-diff', reusableContent, ...(await this.diff(compared, userId, query)) };
  }

  private async diff(
    compared: ComparedPage,
    userId: string,
    { format, context }: PageDiffQuery,
  ): Promise<ContentDiffBody> {
    const { change, attributes } = pageChange(compared);
    const { data, ...body } = await this.body(compared, userId, format, context);
    return { change, attributes: [...attributes, ...data], ...body };
  }

  private async body(
    compared: ComparedPage,
    userId: string,
    format: PageDiffQuery['format'],
    context: number,
  ): Promise<Pick<PageDiffBody, 'blocks' | 'html' | 'unified'> & { readonly data: readonly FrameChange[] }> {
    const versions = { before: compared.before.version?.document, after: compared.after.version?.document };
    if (format === 'blocks')
      return JSON.parse(await this.workers.run(BLOCK_DIFF, { ...versions, context })) as ShownDiff;
    const data = JSON.parse(await this.workers.run(DOCUMENT_DATA_DIFF, versions)) as FrameChange[];
    return format === 'html'
      ? { data, html: await this.html(compared, userId, context) }
      : { data, unified: await this.unified(compared, context) };
  }

  private async html({ before, after }: ComparedPage, userId: string, context: number): Promise<string> {
    const party = after.place.space.organizationId;
    return this.contents.diff(
      {
        before: before.version?.document,
        after: after.version?.document,
        factsBefore: await this.facts(before, userId),
        factsAfter: await this.facts(after, userId),
        context,
      },
      party,
    );
  }

  /** The meaning of references where they were. */
  private async facts({ place, reading, version }: ComparedState, userId: string): Promise<ContentFacts> {
    const { id: spaceId, organizationId } = place.space;
    const { documents, reused, specifications } = await this.contents.read(
      version?.document === undefined ? [] : [version.document],
      { organizationId, point: place.point },
      { evaluated: 'deterministic-only' },
    );
    const [read] = documents;
    if (!read) return factsOf([], EMPTY_RESOLVER);
    const written = writtenIn(read, version?.parent?.path ?? '');
    const references = await this.references.of(place, userId, written, reading);
    return contentFacts(read, { reused, descriptions: await specifications.read(read.drawn), spaceId }, references);
  }

  private async unified({ before, after }: ComparedPage, context: number): Promise<string> {
    return this.workers.run(UNIFIED_DIFF, {
      before: await this.markdown(before),
      after: await this.markdown(after),
      context,
    });
  }

  /** A version as Markdown below its title; files are named by their ids, since their addresses change. */
  private async markdown({ place, version }: ComparedState): Promise<MarkdownVersion> {
    if (!version) return { name: undefined, markdown: '' };
    const { page, path, document } = version;
    const written = document === undefined ? '' : await this.workers.run(DOCUMENT_MARKDOWN, document);
    const links = await this.links.renderer(place.point, path, [written], { signsFiles: false });
    const body = links(written);
    const title = serializeTitle(page.title);
    return { name: `${path === '' ? page.id : path}.md`, markdown: body === '' ? title : `${title}\n${body}` };
  }
}
