import { load } from 'js-yaml';
import { parseUnambiguous } from '../../kernel/common/json-names.js';
import { workerTask } from '../../kernel/platform/workers/worker-task.js';
import { bodyAsWritten, computedBody, type BodyOrder } from './domain/computed/computed-page-body.js';
import { searchableBody } from './domain/computed/computed-page-text.js';
import { outlineOf, type ApiOutline } from './domain/computed/outline.js';
import { toNewDocument } from './document-codec.js';
import type { NewDocument } from './document-store.js';
import type { Document } from '../../formats/document/types.js';
import { splitSpecification, SpecificationParts, type SharedParts } from '../../formats/openapi/specification-parts.js';

/* Parsing of specifications, as functions that any thread can run. */

/** The outline of a specification in JSON or YAML for pages. */
export function specificationOutline(bytes: Uint8Array): ApiOutline | null {
  return outlineOf(parsed(bytes));
}

/** A whole specification, in parts. */
export function specificationParts(bytes: Uint8Array): SharedParts | null {
  const parts = splitSpecification(parsed(bytes));
  return parts && SpecificationParts.of(parts).shared;
}

/** The body of a computed page; `isRead` tells whether its description is parsed as Markdown. */
export function pageBody({ isRead, ...order }: BodyOrder & { readonly isRead: boolean }): Document {
  return isRead ? computedBody(order) : bodyAsWritten(order);
}

/** Generated pages of one specification as search stores them. */
export function searchablePages({
  orders,
  parts: shared,
  isRead,
}: {
  readonly orders: readonly BodyOrder[];
  readonly parts: SharedParts;
  readonly isRead: boolean;
}): NewDocument[] {
  const parts = new SpecificationParts(shared);
  return orders.map((order) => ({
    ...toNewDocument(searchableBody(pageBody({ ...order, isRead }), parts)),
    references: [],
  }));
}

/** Hostile Markdown of 4,000 characters takes a third of a second; an operation is two blocks with their keys. */
const sizeOfBody = ({ content, description }: BodyOrder): number => {
  const blocks = content === undefined ? 0 : blocksOf(content);
  return 4 * description.length + 50 * blocks;
};

function blocksOf(content: NonNullable<BodyOrder['content']>): number {
  switch (content.kind) {
    case 'info':
      return 0;
    case 'models':
      return content.schemas.length;
    case 'webhooks':
      return content.webhooks.length;
    case 'operations':
      return content.operations.length;
    case 'changes':
      return content.versions.reduce((sum, { changes }) => sum + 4 + changes.length, 0);
    case 'overview':
      return content.groups.length + content.pages.length;
    default:
      return 1;
  }
}

function parsed(bytes: Uint8Array): unknown {
  const text = new TextDecoder().decode(bytes);
  return JSON_OBJECT.test(text) ? parseUnambiguous(text) : load(text);
}

const JSON_OBJECT = /^\s*\{/;

/** A few aliases of YAML can expand to gigabytes, so only JSON is ever parsed on the main thread. */
const sizeOf = (bytes: Uint8Array): number =>
  JSON_OBJECT.test(Buffer.from(bytes.subarray(0, 100)).toString('latin1')) ? bytes.length : Infinity;

export const SPECIFICATION_OUTLINE = workerTask(import.meta.url, specificationOutline, { size: sizeOf });
export const SPECIFICATION_PARTS = workerTask(import.meta.url, specificationParts, { size: sizeOf });
export const SEARCHABLE_PAGES = workerTask(import.meta.url, searchablePages, { size: () => Infinity });
export const PAGE_BODY = workerTask(import.meta.url, pageBody, { size: sizeOfBody });
