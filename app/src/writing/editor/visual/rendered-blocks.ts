import { ApiError } from '../../../api/api-error.js';
import { send } from '../../../api/client.js';
import { pathAt, type Place } from '../../place.js';
import { type ContentBlock, EMPTY_DOCUMENT } from './model/content.js';

/** Blocks that are asked for within so many milliseconds are rendered together. */
const WAIT = 150;
const MOST_TOGETHER = 50;
/** So many blocks are known at most; those that were asked for first are forgotten. */
const MOST_KNOWN = 500;

interface Asked {
  readonly block: ContentBlock;
  /** Without HTML if there was no answer, so that it may be asked for again. */
  readonly answer: (html: string | undefined) => void;
}

/** Gives blocks of a page as they will be published, several with one request. */
export function renderedBlocks(place: Place, page: string): (block: ContentBlock) => Promise<string> {
  const known = new Map<string, Promise<string | undefined>>();
  let waiting: Asked[] = [];
  const ask = (block: ContentBlock): Promise<string | undefined> =>
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
  return async (block) => {
    const json = JSON.stringify(block);
    const asked = known.get(json) ?? ask(block);
    known.set(json, asked);
    const [first] = known.keys();
    if (known.size > MOST_KNOWN && first !== undefined) known.delete(first);
    const html = await asked;
    if (html === undefined && known.get(json) === asked) known.delete(json);
    return html ?? '';
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
  } catch (error) {
    const isRefused = error instanceof ApiError && (error.status === 400 || error.status === 422);
    if (!isRefused || asked.length === 1) return asked.forEach(({ answer }) => answer(isRefused ? '' : undefined));
    // One of them is refused: the others are shown without it.
    const middle = asked.length >> 1;
    await renderTogether(place, page, asked.slice(0, middle));
    await renderTogether(place, page, asked.slice(middle));
  }
}
