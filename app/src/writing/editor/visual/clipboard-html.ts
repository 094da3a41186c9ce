import { DOMSerializer, type Node } from 'prosemirror-model';
import { type ContentBlock, type Data, textOf } from './model/content.js';
import { isSafeAddress, schema } from './model/schema.js';

/**
 * HTML for other programs: links with their addresses, which they have none of in the editor, where a press on them
 * leads nowhere; and blocks that are shown as wholes with the words or the address that they have.
 */
export const clipboardHtml = new DOMSerializer(
  {
    ...DOMSerializer.nodesFromSchema(schema),
    block_atom: (node) => {
      const block = node.attrs['block'] as ContentBlock;
      if (block.type === 'divider') return ['hr'];
      const address = addressIn(block.data);
      const words = wholeText(node);
      return address === undefined ? ['p', words] : ['p', ['a', { href: address }, words]];
    },
  },
  {
    ...DOMSerializer.marksFromSchema(schema),
    link: ({ attrs }) => {
      const href = addressIn(attrs['data'] as Data);
      return href === undefined ? ['span', 0] : ['a', { href }, 0];
    },
  },
);

/** The words of a block that is shown as a whole, else its formula or address; empty if it has none of them. */
export function wholeText({ attrs }: Node): string {
  const block = attrs['block'] as ContentBlock;
  const { formula } = block.data ?? {};
  const words = textOf([block]);
  if (words !== '') return words;
  return typeof formula === 'string' ? formula : (addressIn(block.data) ?? '');
}

function addressIn(data: Data = {}): string | undefined {
  const { url } = (data['ref'] ?? data) as Data;
  return typeof url === 'string' && isSafeAddress(url) ? url : undefined;
}
