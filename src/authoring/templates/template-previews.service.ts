import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { DataObject } from '../../kernel/common/expressions/tree.js';
import { notFound } from '../../kernel/common/errors.js';
import { isStill, type StillType } from '../../kernel/platform/images/image-candidates.js';
import { RESIZE_IMAGE } from '../../kernel/platform/images/image-tasks.js';
import { sniffType } from '../../kernel/platform/storage/media-type-sniffing.js';
import { TaskLimitExceeded, WorkerPool } from '../../kernel/platform/workers/worker-pool.js';
import { evaluateDocument } from '../../formats/document/evaluate.js';
import { referencesIn } from '../../formats/document/derive.js';
import type { ContentRef, Document } from '../../formats/document/types.js';
import { EMPTY_RESOLVER, factsOf } from '../../formats/html/reference-facts.js';
import type { ReferenceResolver } from '../../formats/html/render-context.js';
import { parsedDocument } from '../interchange/domain/plan-pages.js';
import { DIRECT_READS } from '../interchange/domain/source-reads.js';
import { readContent } from '../interchange/folder-reader.js';
import type { DesiredContent, DesiredPage } from '../interchange/import-changes.js';
import { ContentHtml } from '../rendering/content-html.js';
import { fillReferences } from './domain/content-refs.js';
import { TemplateLibrary, type Template } from './template-library.js';
import type { WholeTemplateBody } from './templates.schema.js';

/** Pictures are in the preview itself, which has no other place for them; larger ones are made smaller. */
const MOST_PICTURE_BYTES = 100_000;
/** Those of kinds that cannot be made smaller, such as drawings. */
const MOST_KEPT_BYTES = 1_000_000;
/** The width of pictures that are made smaller, in pixels. */
const PREVIEW_WIDTH = 960;
/** The address of pictures until they are put in: nothing is there. */
const PICTURES = 'https://pictures.invalid/';
const PICTURE = /^image\/(?:svg\+xml|png|jpeg|gif|webp)$/;

export interface TemplatePreview {
  readonly template: Template;
  readonly pages: WholeTemplateBody['pages'];
}

type Content = DesiredContent<Document>;

/** Shows templates before they are used. They do not change while the server runs, so each is rendered once. */
@Injectable()
export class TemplatePreviews {
  private readonly previews = new Map<string, Promise<TemplatePreview>>();

  constructor(
    private readonly library: TemplateLibrary,
    private readonly contents: ContentHtml,
    private readonly workers: WorkerPool,
  ) {}

  /** A template with its pages as HTML; throws `notFound` where the library has none of this id. */
  async of(id: string): Promise<TemplatePreview> {
    const template = (await this.library.all()).get(id);
    if (!template) throw notFound('Template');
    const known = this.previews.get(id);
    if (known) return known;
    const preview = this.render(template);
    this.previews.set(id, preview);
    // A failure is not kept.
    preview.catch(() => this.previews.delete(id));
    return preview;
  }

  private async render(template: Template): Promise<TemplatePreview> {
    const bytes = new Map<string, Buffer>();
    const content = await readContent<Document>(template.files, {
      reads: DIRECT_READS,
      objects: new Map(),
      keep: parsedDocument,
      store: async ({ name, bytes: stored }) => {
        const hash = createHash('sha256').update(stored).digest('hex');
        bytes.set(hash, stored);
        return { hash, size: stored.length, contentType: await sniffType(stored, name) };
      },
    });
    const resolver = resolverOf(content);
    const pictures = await this.pictures(content, bytes);
    const parents = new Map(content.pages.map(({ id, parent }) => [id, parent]));
    const pages: WholeTemplateBody['pages'] = [];
    for (const page of content.pages) {
      const html = await this.html(page, content, resolver);
      pages.push({ ...shown(page), depth: depthOf(page.id, parents), html: withPictures(html, pictures) });
    }
    return { template, pages };
  }

  /** The addresses of the pictures that can be shown, by the ids of their files. */
  private async pictures({ files }: Content, bytes: ReadonlyMap<string, Buffer>): Promise<ReadonlyMap<string, string>> {
    const addresses = new Map<string, string>();
    for (const { id, stored } of files) {
      const { hash, contentType: type } = stored;
      const picture = bytes.get(hash);
      if (!picture || !PICTURE.test(type)) continue;
      const smaller = picture.length > MOST_PICTURE_BYTES && isStill(type) ? await this.smaller(picture, type) : undefined;
      if (smaller) addresses.set(id, dataAddress('image/webp', smaller));
      else if (picture.length <= MOST_KEPT_BYTES) addresses.set(id, dataAddress(type, picture));
    }
    return addresses;
  }

  private async smaller(picture: Buffer, type: StillType): Promise<Buffer | undefined> {
    const order = { bytes: Uint8Array.from(picture), type, width: PREVIEW_WIDTH, format: 'webp' } as const;
    const made = await this.workers.run(RESIZE_IMAGE, order).catch((error: unknown) => {
      if (error instanceof TaskLimitExceeded) return undefined;
      throw error;
    });
    return made && made.length < picture.length ? Buffer.from(made) : undefined;
  }

  private async html(
    { document, attributes }: DesiredPage<Document>,
    { reusables, variables }: Content,
    resolver: ReferenceResolver,
  ): Promise<string> {
    if (!document) return '';
    const filled = fillReferences(document, {});
    const references = [filled, ...reusables.flatMap((each) => each.document ?? [])].flatMap((each) =>
      referencesIn(each),
    );
    const facts = factsOf(references, resolver);
    const evaluated = evaluateDocument(filled, {
      spaceVariables: variables,
      pageVariables: (attributes.variables ?? {}) as DataObject,
      deterministicOnly: true,
    });
    return (await this.contents.render({ document: JSON.stringify(evaluated) }, facts, '')).html;
  }
}

function shown({ id, type, attributes }: DesiredPage<Document>) {
  const { title, description, icon, emoji } = attributes;
  return {
    id,
    type,
    title,
    ...(typeof description === 'string' && { description }),
    ...(typeof icon === 'string' && { icon }),
    ...(typeof emoji === 'string' && { emoji }),
  };
}

function depthOf(id: string, parents: ReadonlyMap<string, string>): number {
  let depth = 0;
  for (let above = parents.get(id); above !== undefined && parents.has(above); above = parents.get(above)) depth++;
  return depth;
}

/** Links lead to other pages of the preview; pictures are put in where their addresses are. */
function resolverOf({ pages, reusables }: Content): ReferenceResolver {
  const titles = new Map(pages.map(({ id, attributes }) => [id, attributes.title]));
  const documents = new Map(reusables.map(({ id, document }) => [id, document]));
  return {
    ...EMPTY_RESOLVER,
    withoutAnchorLinks: true,
    link: (ref: ContentRef) => {
      if (ref.kind !== 'page' && ref.kind !== 'anchor') return {};
      const title = ref.page === undefined ? undefined : titles.get(ref.page);
      return title === undefined ? {} : { href: `#${ref.page}`, title };
    },
    image: (ref) => (ref.kind === 'file' ? { src: `${PICTURES}${ref.file}` } : undefined),
    reusable: ({ reusableContent }) => {
      const document = documents.get(reusableContent);
      return document ? fillReferences(document, {}) : undefined;
    },
  };
}

const dataAddress = (type: string, bytes: Buffer): string => `data:${type};base64,${bytes.toString('base64')}`;

/** Content that is rendered has no pictures within addresses, which come from people. Those of a template are put in afterwards. */
function withPictures(html: string, addresses: ReadonlyMap<string, string>): string {
  return [...addresses].reduce(
    (made, [id, address]) => made.replaceAll(`src="${PICTURES}${id}"`, `src="${address}"`),
    html,
  );
}
