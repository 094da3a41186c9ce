import type { Node } from 'prosemirror-model';
import type { ContentBlock, ContentNode } from './content.js';
import { plainText } from './lines.js';
import { typeNamed } from './schema.js';

export const DIVIDER: ContentBlock = { object: 'block', type: 'divider', isVoid: true, data: {} };

/** Code with the lines of a text. */
export function codeNode(text: string, data: object = {}): Node {
  return typeNamed('code').create({ data }, codeLines(text));
}

export function codeLines(text: string): Node[] {
  return text.split(/\r?\n/).map((line) => {
    const content = line === '' ? null : typeNamed('code-line').schema.text(line);
    return typeNamed('code-line').create(null, content);
  });
}

/** The block for a file of the space: a picture is shown, others are there to be downloaded. */
export function fileBlock({
  id,
  name,
  contentType,
}: Readonly<{ id: string; name: string; contentType: string }>): ContentBlock {
  const ref = { kind: 'file', file: id };
  if (!contentType.startsWith('image/'))
    return { object: 'block', type: 'file', isVoid: true, data: { ref }, fragments: [] };
  const data = { ref, alt: name.replace(/\.[^.]+$/, '') };
  const image: ContentBlock = { object: 'block', type: 'image', isVoid: true, data, fragments: [] };
  return { object: 'block', type: 'images', isVoid: false, data: {}, nodes: [image] };
}

/** Paragraphs of a text, which blank lines divide. */
export function paragraphs(text: string): ContentBlock[] {
  return text
    .split(/\r?\n[ \t]*(?:\r?\n[ \t]*)+/)
    .map((part) => ({ object: 'block', type: 'paragraph', isVoid: false, data: {}, nodes: lineOf(part) }));
}

function lineOf(text: string): ContentNode[] {
  return [plainText(text.replaceAll('\r\n', '\n'))];
}
