import { send } from '../../../api/client.js';
import { pathAt, type Place } from '../../place.js';
import { type ContentBlock, EMPTY_DOCUMENT } from './model/content.js';

/** Blocks that are asked for within so many milliseconds are rendered together. */
const WAIT = 150;
const MOST_TOGETHER = 50;

interface Asked {
  readonly block: ContentBlock;
  readonly answer: (html: string) => void;
}

/** Gives blocks of a page as they will be published, several with one request. */
export function renderedBlocks(place: Place, page: string): (block: ContentBlock) => Promise<string> {
  const known = new Map<string, Promise<string>>();
  let waiting: Asked[] = [];
  const ask = (block: ContentBlock): Promise<string> =>
    new Promise((answer) => {
      if (waiting.length === 0) setTimeout(renderAll, WAIT);
      waiting.push({ block, answer });
    });
  const renderAll = (): void => {
    const all = waiting;
    waiting = [];
    for (let from = 0; from < all.length; from += MOST_TOGETHER)
      void renderTogether(place, page, all.slice(from, from + MOST_TOGETHER));
  };
  return (block) => {
    const json = JSON.stringify(block);
    const html = known.get(json) ?? ask(block);
    known.set(json, html);
    return html;
  };
}

/** Each block stands in a quotation of its own, so that its elements are known among those of all. */
async function renderTogether(place: Place, page: string, asked: readonly Asked[]): Promise<void> {
  const nodes = asked.map(({ block }) => ({
    object: 'block',
    type: 'blockquote',
    isVoid: false,
    data: {},
    nodes: [block],
  }));
  const document = { ...EMPTY_DOCUMENT, nodes };
  try {
    const { html = '' } = await send('post', pathAt(place, '/v1/spaces/{spaceId}/content/render'), place, {
      document,
      page,
    });
    const parsed = new DOMParser().parseFromString(html, 'text/html');
    const quotations = [...parsed.body.children];
    asked.forEach(({ answer }, index) => answer(quotations[index]?.innerHTML ?? ''));
  } catch {
    if (asked.length === 1) return asked[0]?.answer('');
    // One of them is refused: the others are shown without it.
    await Promise.all(asked.map((each) => renderTogether(place, page, [each])));
  }
}
