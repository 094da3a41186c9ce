import type { ChangeRequest } from '../api/queries.js';

type Description = NonNullable<ChangeRequest['description']>;

interface DocumentNode {
  readonly object?: string;
  readonly type?: string;
  readonly nodes?: readonly DocumentNode[];
  readonly leaves?: readonly { readonly text?: string; readonly marks?: readonly unknown[] }[];
}

/** The text of a description, one paragraph of it after each empty line. */
export function descriptionText(description: Description | undefined): string {
  const { nodes = [] } = (description ?? {}) as DocumentNode;
  return nodes.map(textOf).join('\n\n').trim();
}

/** Whether a description has nothing but plain paragraphs, so that it is whole as text. */
export function isPlainText(description: Description | undefined): boolean {
  const { nodes = [] } = (description ?? {}) as DocumentNode;
  return nodes.every(
    ({ type, nodes: inner = [] }) =>
      type === 'paragraph' &&
      inner.every(
        ({ object, leaves = [] }) => object === 'text' && leaves.every(({ marks = [] }) => marks.length === 0),
      ),
  );
}

/** The document of a text: a paragraph for each part between empty lines. */
export function descriptionOf(text: string): Description {
  const paragraphs = text.split(/\n\s*\n/).filter((part) => part.trim() !== '');
  return {
    object: 'document',
    data: {},
    nodes: paragraphs.map((part) => ({
      object: 'block',
      type: 'paragraph',
      isVoid: false,
      data: {},
      nodes: [{ object: 'text', leaves: [{ object: 'leaf', text: part.trim(), marks: [] }] }],
    })),
  };
}

function textOf({ object, nodes = [], leaves = [] }: DocumentNode): string {
  if (object === 'text') return leaves.map(({ text = '' }) => text).join('');
  const isOfBlocks = nodes.some((node) => node.object === 'block');
  return nodes.map(textOf).join(isOfBlocks ? '\n' : '');
}
