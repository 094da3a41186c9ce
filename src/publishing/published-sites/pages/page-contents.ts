import { Injectable } from '@nestjs/common';
import type { UsedVersions } from '../../../authoring/content/computed-pages.js';
import { DocumentEvaluation } from '../../../authoring/content/document-evaluation.js';
import { IntegrationBlocks } from '../../../authoring/content/integration-blocks.js';
import { DocumentStore } from '../../../authoring/content/document-store.js';
import { document, paragraph, plain } from '../../../formats/document/build.js';
import type { ContentRef, Document } from '../../../formats/document/types.js';
import { placeholdersIn, renderPlaceholders } from '../../../formats/markdown/references.js';
import { referencesIn } from '../../../formats/document/derive.js';
import { isOwn, ReusedDocuments } from '../../../authoring/content/reused-documents.js';
import { serializeTitle } from '../../../authoring/content/serialize-title.js';
import type { CustomizationSettings } from '../../sites/customization.schema.js';
import { TaskLimitExceeded, WorkerPool } from '../../../kernel/platform/workers/worker-pool.js';
import { factsOf, EMPTY_RESOLVER } from '../../../formats/html/reference-facts.js';
import { ApiDescriptions, type FoundDescriptions } from './api-descriptions.js';
import { RenderedContentCache, type ShownContent } from './rendered-content-cache.js';
import {
  drawnIn,
  PUBLISHED_MARKDOWN,
  READ_STORED_DOCUMENT,
  type ReadDocument,
} from '../../../formats/html/rendering-tasks.js';
import { languagePackOf } from '../domain/languages.js';
import type { TreePage } from './domain/space-tree.js';
import { ReferenceLookup, type References } from './reference-lookup.js';
import type { SitePlace } from './site-place.js';
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
  private readonly rendered: RenderedContentCache;

  constructor(
    private readonly documents: DocumentStore,
    private readonly evaluation: DocumentEvaluation,
    private readonly integrations: IntegrationBlocks,
    private readonly reused: ReusedDocuments,
    private readonly trees: SpaceTrees,
    private readonly references: ReferenceLookup,
    private readonly descriptions: ApiDescriptions,
    private readonly workers: WorkerPool,
  ) {
    this.rendered = new RenderedContentCache(workers);
  }

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
    const read = await this.workers.run(READ_STORED_DOCUMENT, document, { party });
    const reused = await this.reused.of(read.references, point, { evaluated: 'true', visitor: visit.visitor });
    const { references: all, drawn } = withReused(read, reused, row.id);
    const references = await this.references.of(place, [...all, ...more]);
    const descriptions = await (
      await this.descriptions.find({ organizationId: visit.site.organizationId, point }, [drawn])
    ).read(drawn);
    const facts = factsOf(all, {
      origin: place.origin,
      link: (ref) => references.link(ref, page),
      image: (ref) => references.image(ref),
      file: (ref) => references.file(ref),
      reusable: (ref) => (isOwn(ref, row.id) ? reused.get(ref.reusableContent) : undefined),
      specification: (ref) => descriptions.of(ref),
      search: `${base}/~search?q=`,
      externalTarget: settings.externalLinks.target,
      iconStyle: settings.styling.icons,
      labels: languagePackOf(row.language ?? settings.internationalization.locale).content,
    });
    return {
      words: read.words,
      content: await this.rendered.render(document, facts, party),
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
    const bodies: (ReadDocument & { readonly document: string })[] = [];
    for (const { item } of pages) {
      const document = found.get(item.id)?.document ?? JSON.stringify(emptyBody(item.type));
      bodies.push({ ...(await this.workers.run(READ_STORED_DOCUMENT, document, { party })), document });
    }
    const { point } = await this.trees.of(place.visit, place.row);
    const reused = await this.reused.of(
      bodies.flatMap((body) => body.references),
      point,
      { evaluated: 'true', visitor: place.visit.visitor },
    );
    const whole = bodies.map((body) => ({ ...body, ...withReused(body, reused, place.row.id) }));
    const specifications = await this.descriptions.find(
      { organizationId: party, point },
      whole.map(({ drawn }) => drawn),
    );
    const texts: string[] = [];
    for (const body of whole) texts.push(await this.text(place, body, reused, await specifications.read(body.drawn)));
    const references = await this.references.of(place, texts.flatMap(placeholdersIn));
    return pages.map((page, index) => {
      const body = renderPlaceholders(texts[index] ?? '', (ref) => references.markdownTarget(ref, page));
      const title = serializeTitle(page.item.title);
      return body === '' ? title : `${title}\n${body}`;
    });
  }

  /**
   * The body of a page as Markdown. Content that takes too much time or memory, such as specifications, is left out:
   * only the content of the page itself remains.
   */
  private async text(
    { visit, row }: SitePlace,
    { document, references }: WholeDocument,
    reused: ReadonlyMap<string, Document>,
    descriptions: FoundDescriptions,
  ): Promise<string> {
    const party = visit.site.organizationId;
    const facts = factsOf(
      references.filter(({ kind }) => kind === 'reusable-content' || kind === 'openapi' || kind === 'file'),
      {
        ...EMPTY_RESOLVER,
        reusable: (ref) => (isOwn(ref, row.id) ? reused.get(ref.reusableContent) : undefined),
        specification: (ref) => descriptions.of(ref),
        labels: languagePackOf(row.language ?? '').content,
      },
    );
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

/** A document, as JSON, with the references of it and of its reusable contents. */
interface WholeDocument extends Pick<ReadDocument, 'references' | 'drawn'> {
  readonly document: string;
}

/** The references of a document, including those of reusable contents at any depth. */
function withReused(
  read: Pick<ReadDocument, 'references' | 'drawn'>,
  reused: ReadonlyMap<string, Document>,
  spaceId: string,
): Pick<ReadDocument, 'references' | 'drawn'> {
  const [documents, references] = [new Set<Document>(), [...read.references]];
  // References of the found ones are appended meanwhile.
  for (let index = 0; index < references.length; index++) {
    const ref = references[index];
    const inside =
      ref?.kind === 'reusable-content' && isOwn(ref, spaceId) ? reused.get(ref.reusableContent) : undefined;
    if (!inside || documents.has(inside)) continue;
    documents.add(inside);
    for (const each of referencesIn(inside)) references.push(each);
  }
  return { references, drawn: [...read.drawn, ...[...documents].flatMap(drawnIn)] };
}

function emptyBody(type: string): Document {
  return document(
    type === 'computed' ? [paragraph(plain('This page is computed from a specification that is not there.'))] : [],
  );
}
