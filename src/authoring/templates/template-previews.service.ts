import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { DataObject } from '../../kernel/common/expressions/tree.js';
import { notFound } from '../../kernel/common/errors.js';
import { sniffType } from '../../kernel/platform/storage/media-type-sniffing.js';
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

/** Pictures that are not larger are in the preview itself, which has no other place for them. */
const MOST_PICTURE_BYTES = 100_000;
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
    const parents = new Map(content.pages.map(({ id, parent }) => [id, parent]));
    const pages: WholeTemplateBody['pages'] = [];
    for (const page of content.pages) {
      const html = await this.html(page, content, resolver);
      pages.push({ ...shown(page), depth: depthOf(page.id, parents), html: withPictures(html, content, bytes) });
    }
    return { template, pages };
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

/** Content that is rendered has no pictures within addresses, which come from people. Those of a template are put in afterwards. */
function withPictures(html: string, { files }: Content, bytes: ReadonlyMap<string, Buffer>): string {
  return files.reduce((made, { id, stored: { hash, contentType } }) => {
    const picture = bytes.get(hash);
    if (!picture || picture.length > MOST_PICTURE_BYTES || !PICTURE.test(contentType)) return made;
    return made.replaceAll(`src="${PICTURES}${id}"`, `src="data:${contentType};base64,${picture.toString('base64')}"`);
  }, html);
}
