import { createHash } from 'node:crypto';
import { descriptionBlocks } from '../../../../formats/markdown/description.js';
import { block, document, plain, rawBlock } from '../../../../formats/document/build.js';
import { contentJson } from '../../../../formats/document/hash.js';
import { assignKeys } from '../../../../formats/document/keys.js';
import type { Block, Document } from '../../../../formats/document/types.js';
import { apiPages, base62, findApiPage, type ApiContent } from './expansion.js';
import type { ApiOutline } from './outline.js';
import type { ComputedSource } from '../../../../formats/document/computed-source.js';

const KEY_LENGTH = 10;

/** The input for the body of a page. */
export interface BodyOrder {
  /** Undefined if the specification has no such page. */
  readonly content: ApiContent | undefined;
  /** Markdown that introduces the page. */
  readonly description: string;
  readonly ref: ComputedSource['dependencies']['spec']['ref'];
}

export function bodyOrder({ props, dependencies }: ComputedSource, outline: ApiOutline): BodyOrder {
  const pages = apiPages(outline);
  const content =
    props.doc === 'models'
      ? pages.find((page) => page.content.kind === 'models')?.content
      : findApiPage(pages, String(props.page))?.content;
  const description =
    content?.kind === 'info' ? outline.description : content?.kind === 'operations' ? content.description : '';
  return { content, description, ref: dependencies.spec.ref };
}

/** The body of a page of a specification; empty if the specification has no such page. */
export function computedBody(order: BodyOrder): Document {
  return bodyAfter(descriptionBlocks(order.description), order);
}

/** The body with its description as written, if that takes too long to parse. */
export function bodyAsWritten(order: BodyOrder): Document {
  return bodyAfter([rawBlock(order.description)], order);
}

function bodyAfter(introduction: readonly Block[], { content, ref }: BodyOrder): Document {
  return document(keyed([...introduction, ...(content ? blocksOf(content, ref) : [])]));
}

function blocksOf(content: ApiContent, ref: BodyOrder['ref']): Block[] {
  switch (content.kind) {
    case 'info':
      return [];
    case 'operations':
      return content.operations.flatMap(({ path, method, title }) => [
        heading(title),
        block('openapi-operation', { ref, path, method }),
      ]);
    case 'webhooks':
      return content.webhooks.flatMap(({ path: name, method, title }) => [
        heading(title),
        block('openapi-webhook', { ref, name, method }),
      ]);
    case 'models':
      return content.schemas.flatMap((name) => [
        heading(name),
        block('openapi-schemas', { ref, schemas: [name], grouped: false }),
      ]);
  }
}

function heading(title: string): Block {
  return block('heading-2', {}, [plain(title)]);
}

/** Derives keys from the content of blocks, so that an unchanged block keeps its key from version to version. */
function keyed(blocks: readonly Block[]): Block[] {
  const seen = new Map<string, number>();
  return blocks.flatMap((each) => {
    const content = contentJson(each);
    const occurrence = seen.get(content) ?? 0;
    seen.set(content, occurrence + 1);
    let count = 0;
    const newKey = (): string =>
      base62(createHash('sha256').update(`${occurrence} ${count++} ${content}`).digest(), KEY_LENGTH);
    return assignKeys(document([each]), undefined, newKey).nodes;
  });
}
