import { Injectable } from '@nestjs/common';
import type { UsedVersions } from '../../content/computed-pages.js';
import { DocumentEvaluation } from '../../content/document-evaluation.js';
import { DocumentStore } from '../../content/document-store.js';
import { document, paragraph, plain } from '../../content/domain/document/build.js';
import type { ContentRef, Document, Node } from '../../content/domain/document/types.js';
import { insertReused } from '../../content/domain/document/insert-reused.js';
import { mapBlocks } from '../../content/domain/document/map-blocks.js';
import { placeholdersIn, renderPlaceholders } from '../../content/markdown/references.js';
import { serializeMarkdown } from '../../content/markdown/serialize.js';
import { isOwn, referencesIn, ReusedDocuments } from '../../content/reused-documents.js';
import { serializeTitle } from '../../content/serialize-title.js';
import type { CustomizationSettings } from '../../sites/customization.schema.js';
import { ApiDescriptions } from '../html/openapi/api-descriptions.js';
import { drawsFromSpecification, operationBlocks, type SpecificationBlock } from '../html/openapi/operation-blocks.js';
import { KeptContents } from '../html/kept-contents.js';
import type { RenderedContent } from '../html/render.js';
import { languageOf } from '../domain/languages.js';
import type { TreePage } from './domain/tree.js';
import { ReferenceLookup, type References } from './references.js';
import type { SitePlace } from './site-place.js';
import { SpaceTrees } from './space-trees.js';

/** The body of a page for one visitor. */
export interface ReadPage {
  readonly document: Document;
  /** The versions of the specifications that it follows. */
  readonly specifications: UsedVersions;
}

export interface PageHtml {
  readonly content: RenderedContent;
  readonly references: References;
  /** The versions of the specifications that its blocks draw from. */
  readonly specifications: UsedVersions;
}

/** Reads what pages say, and writes it as HTML and Markdown. */
@Injectable()
export class PageContents {
  private readonly rendered = new KeptContents();

  constructor(
    private readonly documents: DocumentStore,
    private readonly evaluation: DocumentEvaluation,
    private readonly reused: ReusedDocuments,
    private readonly trees: SpaceTrees,
    private readonly references: ReferenceLookup,
    private readonly descriptions: ApiDescriptions,
  ) {}

  /** The documents of pages of one space, with what expressions and conditions say to this visitor; bodies come in one statement. */
  async read({ visit, row }: SitePlace, pages: readonly TreePage[], { keep = true } = {}): Promise<Map<string, ReadPage>> {
    const { point } = await this.trees.of(visit, row);
    const reading = this.trees.reading(visit, row);
    const bodies = await this.documents.json(row.id, pages.flatMap(({ item }) => item.hash ?? []), { keep });
    const evaluated = this.evaluation.several(point, 'true', visit.visitor);
    const found = new Map<string, ReadPage>();
    for (const { item } of pages) {
      const computed = item.props['computed'] === undefined ? undefined : await reading.body(item);
      const json = item.hash === null ? undefined : bodies.get(item.hash);
      const body = computed ?? (json === undefined ? emptyBody(item.type) : (JSON.parse(await evaluated(item, json)) as Document));
      found.set(item.id, { document: body, specifications: reading.used });
    }
    return found;
  }

  /** The document of a page as HTML; `more` are references beside those of the document that are wanted with it. */
  async html(place: SitePlace, page: TreePage, body: Document, settings: CustomizationSettings, more: readonly ContentRef[]): Promise<PageHtml> {
    const { visit, row, base } = place;
    const { point } = await this.trees.of(visit, row);
    const direct = referencesIn(body);
    const reused = await this.reused.of(direct, point, { evaluated: 'true', visitor: visit.visitor });
    const references = await this.references.of(place, [...direct, ...[...reused.values()].flatMap(referencesIn), ...more]);
    const drawn = drawnIn(wholeDocument(body, reused, row.id));
    const descriptions = await (await this.descriptions.find({ organizationId: visit.site.organizationId, point }, [drawn])).read(drawn);
    const content = await this.rendered.render(body, {
      link: (ref) => references.link(ref, page),
      image: (ref) => references.image(ref),
      file: (ref) => references.file(ref),
      reusable: (ref) => (isOwn(ref, row.id) ? reused.get(ref.reusableContent) : undefined),
      specification: (ref) => descriptions.of(ref),
      search: (query) => `${base}/~search?q=${encodeURIComponent(query)}`,
      externalTarget: settings.externalLinks.target,
      iconStyle: settings.styling.icons,
      labels: languageOf(row.language ?? settings.internationalization.locale).content,
    });
    return { content, references, specifications: descriptions.used };
  }

  /**
   * Pages as Markdown, each with its title as the first heading, the words of reusable contents in their places and what
   * specifications say of operations; links to other pages are relative.
   */
  async markdown(place: SitePlace, pages: readonly TreePage[]): Promise<string[]> {
    const read = await this.read(place, pages, { keep: pages.length === 1 });
    const bodies = pages.map(({ item }) => read.get(item.id)?.document ?? document([]));
    const { point } = await this.trees.of(place.visit, place.row);
    const reused = await this.reused.of(bodies.flatMap(referencesIn), point, { evaluated: 'true', visitor: place.visit.visitor });
    const whole = bodies.map((body) => wholeDocument(body, reused, place.row.id));
    const texts = (await this.withOperations(place, whole)).map((body) => serializeMarkdown(body));
    const references = await this.references.of(place, texts.flatMap(placeholdersIn));
    return pages.map((page, index) => {
      const body = renderPlaceholders(texts[index] ?? '', (ref) => references.markdownTarget(ref, page));
      const title = serializeTitle(page.item.title);
      return body === '' ? title : `${title}\n${body}`;
    });
  }

  /** Documents with what specifications say in the places of the blocks that show it, as far as they are there. */
  private async withOperations({ visit, row }: SitePlace, bodies: readonly Document[]): Promise<readonly Document[]> {
    const drawn = bodies.map(drawnIn);
    if (drawn.every(({ length }) => length === 0)) return bodies;
    const { point } = await this.trees.of(visit, row);
    const specifications = await this.descriptions.find({ organizationId: visit.site.organizationId, point }, drawn);
    const labels = languageOf(row.language ?? '').content;
    const written: Document[] = [];
    for (const [index, body] of bodies.entries()) {
      const found = await specifications.read(drawn[index] ?? []);
      written.push({ ...body, nodes: mapBlocks(body.nodes, (block) => operationBlocks(block, ({ data: { ref } }) => found.of(ref), labels)) });
    }
    return written;
  }
}

function wholeDocument(body: Document, reused: ReadonlyMap<string, Document>, spaceId: string): Document {
  return reused.size === 0 ? body : insertReused(body, ({ data: { ref } }) => (isOwn(ref, spaceId) ? reused.get(ref.reusableContent) : undefined));
}

/** The specifications that blocks of a document draw from, in their order. */
function drawnIn({ nodes }: Document): ContentRef[] {
  return [...drawingBlocks(nodes)].map(({ data: { ref } }) => ref);
}

function* drawingBlocks(nodes: readonly Node[]): Generator<SpecificationBlock> {
  for (const node of nodes) {
    if (node.object === 'text') continue;
    if (node.object === 'block' && drawsFromSpecification(node)) yield node;
    yield* drawingBlocks(node.nodes ?? []);
    for (const fragment of node.fragments ?? []) yield* drawingBlocks(fragment.nodes);
  }
}

function emptyBody(type: string): Document {
  return document(type === 'computed' ? [paragraph(plain('This page is computed from a specification that is not there.'))] : []);
}
