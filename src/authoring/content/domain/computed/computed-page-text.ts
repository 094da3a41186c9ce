import { document, paragraph, plain } from '../../../../formats/document/build.js';
import type { Block, Document } from '../../../../formats/document/types.js';
import { operationText, schemaText } from '../../../../formats/openapi/domain/operation-text.js';

/** The body of a generated page as search sees it: operations and schemas as the words by which they are found. */
export function searchableBody(body: Document, api: { at(pointer: readonly string[]): unknown }): Document {
  return document(body.nodes.map((block) => searchable(block, api)));
}

function searchable(block: Block, api: { at(pointer: readonly string[]): unknown }): Block {
  switch (block.type) {
    case 'openapi-operation':
      return text(operationText(api, 'paths', block.data.path, block.data.method));
    case 'openapi-webhook':
      return text(operationText(api, 'webhooks', block.data.name, block.data.method));
    case 'openapi-schemas':
      return text(block.data.schemas.map((name) => schemaText(api, name)).join(' '));
    default:
      return block;
  }
}

const text = (words: string): Block => paragraph(plain(words));
