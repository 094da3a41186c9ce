import { Injectable } from '@nestjs/common';
import type { UsedVersions } from '../../../authoring/content/computed-pages.js';
import { DocumentEvaluation } from '../../../authoring/content/document-evaluation.js';
import { IntegrationBlocks } from '../../../authoring/content/integration-blocks.js';
import { DocumentStore } from '../../../authoring/content/document-store.js';
import { document, paragraph, plain } from '../../../formats/document/build.js';
import { documentKindOf } from '../../../formats/document/computed-source.js';
import type { ContentRef, Document } from '../../../formats/document/types.js';
import { placeholdersIn, renderPlaceholders } from '../../../formats/markdown/references.js';
import { wholeLayout } from '../../../authoring/content/domain/page-attributes.js';
import { isOwn } from '../../../authoring/content/reused-documents.js';
import type { FoundDescriptions } from '../../../authoring/rendering/api-descriptions.js';
import { ContentHtml, contentFacts, writtenIn, type WholeDocument } from '../../../authoring/rendering/content-html.js';
import { serializeTitle } from '../../../authoring/content/serialize-title.js';
import type { CustomizationSettings } from '../../sites/customization.schema.js';
import { TaskLimitExceeded, WorkerPool } from '../../../kernel/platform/workers/worker-pool.js';
import { factsOf, EMPTY_RESOLVER } from '../../../formats/html/reference-facts.js';
import type { ShownContent } from '../../../formats/html/rendered-content-cache.js';
import type { CallableServers, OperationTool } from '../../../formats/html/openapi/operation-tool.js';
import { DOCUMENT_TOOLS } from '../../../formats/html/operation-tool-tasks.js';
import { PUBLISHED_MARKDOWN, type RenderableDocument } from '../../../formats/html/rendering-tasks.js';
import { languagePackOf } from '../../../formats/html/languages/language-packs.js';
import { SEARCH_PATH } from './domain/site-paths.js';
import type { TreePage } from './domain/space-tree.js';
import { ReferenceLookup, type References } from './reference-lookup.js';
import { pageAddress, type SitePlace } from './site-place.js';
import { SpaceTrees } from './space-trees.js';

/** The body of a page for one visitor. */
export interface ReadPage {
  /** JSON. */
  readonly document: string;
  /** The versions of the specifications that it uses. */
  readonly specifications: UsedVersions;
}

export interface PageHtml {
  /** The first words of the page. */
  readonly words: string;
  readonly content: ShownContent;
  readonly references: References;
  /** The versions of the specifications that its blocks show. */
  readonly specifications: UsedVersions;
}

/** Reads the content of pages, and renders it as HTML and Markdown. */
@Injectable()
export class PageContents {
  constructor(
    private readonly documents: DocumentStore,
    private readonly evaluation: DocumentEvaluation,
    private readonly integrations: IntegrationBlocks,
    private readonly trees: SpaceTrees,
    private readonly references: ReferenceLookup,
    private readonly contents: ContentHtml,
    private readonly workers: WorkerPool,
  ) {}

  /**
   * The documents of pages of one space, with expressions and conditions evaluated for this visitor; bodies come in one
   * statement.
   */
  async read(
    { visit, row }: SitePlace,
    pages: readonly TreePage[],
    { keep = true } = {},
  ): Promise<Map<string, ReadPage>> {
    const { point } = await this.trees.of(visit, row);
    const reading = this.trees.reading(visit, row);
    const bodies = await this.documents.json(
      row.id,
      pages.flatMap(({ item }) => item.hash ?? []),
      { keep },
    );
    const evaluated = this.evaluation.several(point, 'true', visit.visitor);
    const found = new Map<string, ReadPage>();
    for (const { item } of pages) {
      const computed = item.props['computed'] === undefined ? undefined : await reading.body(item);
      const json = item.hash === null ? undefined : bodies.get(item.hash);
      const body =
        computed === undefined && json !== undefined
          ? await this.integrations.rendered(await evaluated(item, json))
          : JSON.stringify(computed ?? emptyBody(item.type));
      found.set(item.id, { document: body, specifications: reading.used });
    }
    return found;
  }

  /** The document of a page, as JSON, as HTML; `more` are further references to resolve with those of the document. */
  async html(
    place: SitePlace,
    page: TreePage,
    document: string,
    settings: CustomizationSettings,
    more: readonly ContentRef[],
  ): Promise<PageHtml> {
    const { visit, row, base } = place;
    const { point } = await this.trees.of(visit, row);
    const party = visit.site.organizationId;
    const { documents, reused, specifications } = await this.contents.read(
      [document],
      { organizationId: party, point },
      { evaluated: 'true', visitor: visit.visitor },
    );
    const [read = { document, words: '', references: [], drawn: [], own: 0 }] = documents;
    const linked = Object.entries(await this.trees.reading(visit, row).linkedPages(page.item)).map(
      ([name, id]) => [name, { kind: 'page', page: id } as const] as const,
    );
    const wanted = [...read.references, ...more, ...linked.map(([, ref]) => ref)];
    const references = await this.references.of(place, wanted, {
      written: writtenIn(read, page.parent?.path ?? ''),
    });
    const descriptions = await specifications.read(read.drawn);
    const layout = wholeLayout(page.item.props['layout']);
    const isLedByCover =
      layout.cover && (page.item.props['cover'] as { ref?: ContentRef } | undefined)?.ref !== undefined;
    const facts = contentFacts(
      read,
      { reused, descriptions, spaceId: row.id },
      {
        origin: place.origin,
        link: (ref) => references.link(ref, page),
        image: (ref) => references.image(ref),
        file: (ref) => references.file(ref),
        search: `${pageAddress(place, base, SEARCH_PATH)}?q=`,
        externalTarget: settings.externalLinks.target,
        iconStyle: settings.styling.icons,
        withoutAnchorLinks: !layout.anchors,
        ...(!isLedByCover && { firstImage: settings.themes.default }),
        isWide: layout.width === 'wide',
        // Files have no script that the page could load later.
        hasConsole: !place.isStatic,
        operations: Object.fromEntries(
          linked.flatMap(([name, ref]) => {
            const { href } = references.link(ref, page);
            return href === undefined ? [] : [[name, href]];
          }),
        ),
        title: page.item.title,
        labels: languagePackOf(row.language ?? settings.internationalization.locale).content,
      },
    );
    return {
      words: read.words,
      content: await this.contents.render(read, facts, party),
      references,
      specifications: descriptions.used,
    };
  }

  /**
   * Pages as Markdown, each with its title as the first heading, with the content of reusable contents and of
   * operations of specifications; links to other pages are relative.
   */
  async markdown(place: SitePlace, pages: readonly TreePage[]): Promise<string[]> {
    const party = place.visit.site.organizationId;
    const found = await this.read(place, pages, { keep: pages.length === 1 });
    const { point } = await this.trees.of(place.visit, place.row);
    const { documents, reused, specifications } = await this.contents.read(
      pages.map(({ item }) => found.get(item.id)?.document ?? JSON.stringify(emptyBody(item.type))),
      { organizationId: party, point },
      { evaluated: 'true', visitor: place.visit.visitor },
    );
    const texts: string[] = [];
    for (const [index, body] of documents.entries())
      texts.push(
        await this.text(place, body, reused, await specifications.read(body.drawn), pages[index]?.item.title ?? ''),
      );
    const references = await this.references.of(place, texts.flatMap(placeholdersIn));
    return pages.map((page, index) => {
      const body = renderPlaceholders(texts[index] ?? '', (ref) => references.markdownTarget(ref, page));
      const title = serializeTitle(page.item.title);
      return body === '' ? title : `${title}\n${body}`;
    });
  }

  /** Those pages of a space whose documents may show operations of APIs. */
  async showingOperations({ row }: SitePlace, pages: readonly TreePage[]): Promise<TreePage[]> {
    const showing = await this.documents.showing(
      row.id,
      pages.flatMap(({ item }) => item.hash ?? []),
    );
    return pages.filter(
      ({ item }) =>
        ['operation', 'operations'].includes(documentKindOf(item) ?? '') ||
        (item.hash !== null && showing.has(item.hash)),
    );
  }

  /**
   * The tools that call the operations which pages show to this visitor, at most so many, and the versions of the
   * specifications that they are from.
   */
  async tools(
    place: SitePlace,
    pages: readonly TreePage[],
    { servers, limit }: { readonly servers: CallableServers; readonly limit: number },
  ): Promise<{ readonly tools: readonly OperationTool[]; readonly used: UsedVersions }> {
    const party = place.visit.site.organizationId;
    const found = await this.read(place, pages, { keep: false });
    const { point } = await this.trees.of(place.visit, place.row);
    const { documents, reused, specifications } = await this.contents.read(
      [...found.values()].map(({ document }) => document),
      { organizationId: party, point },
      { evaluated: 'true', visitor: place.visit.visitor },
    );
    const used = new Map([...found.values()].flatMap((page) => [...page.specifications]));
    const tools: OperationTool[] = [];
    for (const body of documents) {
      if (body.drawn.length === 0 || tools.length >= limit) continue;
      const descriptions = await specifications.read(body.drawn);
      for (const [slug, version] of descriptions.used) used.set(slug, version);
      const order = { ...shownContents(place, body, reused, descriptions), servers, limit: limit - tools.length };
      try {
        tools.push(...(await this.workers.run(DOCUMENT_TOOLS, order, { party })));
      } catch (error) {
        if (!(error instanceof TaskLimitExceeded)) throw error;
      }
    }
    return { tools, used };
  }

  /**
   * The body of a page as Markdown. Content that takes too much time or memory, such as specifications, is left out:
   * only the content of the page itself remains.
   */
  private async text(
    place: SitePlace,
    body: WholeDocument,
    reused: ReadonlyMap<string, Document>,
    descriptions: FoundDescriptions,
    title: string,
  ): Promise<string> {
    const party = place.visit.site.organizationId;
    const shown = shownContents(place, body, reused, descriptions);
    const [document, facts] = [shown.document, { ...shown.facts, title }];
    try {
      return await this.workers.run(PUBLISHED_MARKDOWN, { document, facts }, { party });
    } catch (error) {
      if (!(error instanceof TaskLimitExceeded)) throw error;
      return this.workers.run(
        PUBLISHED_MARKDOWN,
        { document, facts: { ...facts, reusables: [], specifications: [] } },
        { party },
      );
    }
  }
}

/** A document with the contents that it shows in place of references, and nothing of its other references. */
function shownContents(
  { row }: SitePlace,
  { document, references }: WholeDocument,
  reused: ReadonlyMap<string, Document>,
  descriptions: FoundDescriptions,
): RenderableDocument {
  const facts = factsOf(
    references.filter(({ kind }) => kind === 'reusable-content' || kind === 'openapi' || kind === 'file'),
    {
      ...EMPTY_RESOLVER,
      reusable: (ref) => (isOwn(ref, row.id) ? reused.get(ref.reusableContent) : undefined),
      specification: (ref) => descriptions.of(ref),
      labels: languagePackOf(row.language ?? '').content,
    },
  );
  return { document, facts };
}

function emptyBody(type: string): Document {
  return document(
    type === 'computed' ? [paragraph(plain('This page is computed from a specification that is not there.'))] : [],
  );
}
