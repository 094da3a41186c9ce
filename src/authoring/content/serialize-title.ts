import type { Document } from '../../formats/document/types.js';
import { serializeMarkdown } from '../../formats/markdown/serialize.js';

/** The title of a page as the first heading of its Markdown, ending with a line feed. */
export function serializeTitle(title: string): string {
  const document: Document = {
    object: 'document',
    data: {},
    nodes: [
      {
        object: 'block',
        type: 'heading-1',
        isVoid: false,
        data: {},
        nodes: [{ object: 'text', leaves: [{ object: 'leaf', text: title, marks: [] }] }],
      },
    ],
  };
  return serializeMarkdown(document);
}
