import type { ChangeRequest } from '../api/queries.js';

type Description = NonNullable<ChangeRequest['description']>;

interface DocumentNode {
  readonly object?: string;
  readonly type?: string;
  readonly nodes?: readonly DocumentNode[];
  readonly leaves?: readonly { readonly text?: string; readonly marks?: readonly unknown[] }[];
}

const nodesOf = (description: Description = {}): readonly DocumentNode[] => (description as DocumentNode).nodes ?? [];

/** The Markdown of a description: the interface takes documents only, so their paragraphs have it as plain text. */
export function descriptionText(description: Description | undefined): string {
  return nodesOf(description).map(textOf).join('\n\n').trim();
}

/** Whether a description has nothing but plain paragraphs, so that it is whole as text. */
export function isPlainText(description: Description | undefined): boolean {
  const isPlain = ({ object, leaves = [] }: DocumentNode): boolean =>
    object === 'text' && leaves.every(({ marks = [] }) => marks.length === 0);
  return nodesOf(description).every(({ type, nodes = [] }) => type === 'paragraph' && nodes.every(isPlain));
}

/** The document of a Markdown text: a paragraph for each part between empty lines. */
export function descriptionOf(markdown: string): Description {
  const nodes = markdown.split('\n\n').map((text) => ({
    object: 'block',
    type: 'paragraph',
    isVoid: false,
    data: {},
    nodes: [{ object: 'text', leaves: [{ object: 'leaf', text, marks: [] }] }],
  }));
  return { object: 'document', data: {}, nodes };
}

function textOf({ object, nodes = [], leaves = [] }: DocumentNode): string {
  if (object === 'text') return leaves.map(({ text = '' }) => text).join('');
  const isOfBlocks = nodes.some((node) => node.object === 'block');
  return nodes.map(textOf).join(isOfBlocks ? '\n' : '');
}
