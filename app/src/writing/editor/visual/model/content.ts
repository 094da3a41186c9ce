/*
 * The document of a page as the interface gives it, as far as the editor looks into it. Fields that are not named here
 * are kept as they are.
 */

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json | undefined };
export type Data = Readonly<Record<string, Json | undefined>>;

export interface ContentMark {
  readonly object: 'mark';
  readonly type: string;
  readonly data?: Data;
}

export interface ContentLeaf {
  readonly object: 'leaf';
  readonly text: string;
  readonly marks: readonly ContentMark[];
}

export interface ContentText {
  readonly object: 'text';
  readonly key?: string;
  readonly leaves: readonly ContentLeaf[];
}

export interface ContentFragment {
  readonly object: 'fragment';
  readonly key?: string;
  readonly fragment?: string;
  readonly type?: string;
  readonly nodes: readonly ContentBlock[];
}

interface Element {
  readonly type: string;
  readonly key?: string;
  readonly isVoid?: boolean;
  readonly data?: Data;
  readonly nodes?: readonly ContentNode[];
  readonly fragments?: readonly ContentFragment[];
  readonly meta?: Data;
}

export type ContentInline = Element & Readonly<{ object: 'inline' }>;
export type ContentBlock = Element & Readonly<{ object: 'block' }>;
export type ContentNode = ContentBlock | ContentInline | ContentText;

export interface ContentDocument {
  readonly object: 'document';
  readonly data: Data;
  readonly nodes: readonly ContentBlock[];
}

/** A document of a page that has no text yet. */
export const EMPTY_DOCUMENT: ContentDocument = { object: 'document', data: { schemaVersion: 8 }, nodes: [] };

/** The text of nodes, each block on a line of its own. */
export function textOf(nodes: readonly ContentNode[]): string {
  const inLine = nodes.every(({ object }) => object !== 'block');
  return nodes
    .map((node) => {
      if (node.object === 'text') return node.leaves.map(({ text }) => text).join('');
      const inside = [node.nodes ?? [], ...(node.fragments ?? []).map((part) => part.nodes)];
      return inside
        .map(textOf)
        .filter((text) => text !== '')
        .join('\n');
    })
    .join(inLine ? '' : '\n');
}
