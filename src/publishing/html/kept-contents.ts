import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { ContentRef, Document } from '../../content/domain/document/types.js';
import { renderContent, type RenderedContent } from './render.js';
import type { Surroundings } from './scene.js';

const CACHE_BYTES = 24 * 1024 ** 2;
/** Longer answers are kept as their hashes. */
const LONG_ANSWER = 200;

type Asking = 'link' | 'image' | 'file' | 'reusable' | 'search' | 'specification';

/** What was asked of the surroundings while a document was rendered, and what they said. */
interface Asked {
  readonly what: Asking;
  readonly argument: never;
  readonly answer: string | undefined;
}

interface Kept {
  readonly content: RenderedContent;
  readonly asked: readonly Asked[];
  readonly size: number;
}

/**
 * Renders documents, and keeps what became of them with everything that it followed from: the document, what is the same for all of
 * its surroundings, and each of their answers. It is given again where they answer all of that the same. A document that draws from a
 * specification, or whose code had no time to be coloured, is rendered each time.
 */
export class KeptContents {
  private readonly kept = new LRUCache<string, Kept>({ maxSize: CACHE_BYTES, sizeCalculation: ({ size }) => size });

  async render(document: Document, surroundings: Surroundings): Promise<RenderedContent> {
    const { externalTarget, iconStyle, labels } = surroundings;
    const key = digest(JSON.stringify([document, externalTarget, iconStyle, labels, surroundings.search !== undefined, surroundings.specification !== undefined]));
    const known = this.kept.get(key);
    if (known?.asked.every(({ what, argument, answer }) => said(surroundings[what]?.(argument)) === answer) === true) return known.content;
    const asked = new Map<string, Asked>();
    let drawsFromSpecification = false;
    const note = <Answer>(what: Asking, argument: unknown, answer: Answer): Answer => {
      if (what === 'specification' && answer !== undefined) drawsFromSpecification = true;
      else asked.set(`${what} ${JSON.stringify(argument)}`, { what, argument: argument as never, answer: said(answer) });
      return answer;
    };
    const content = await renderContent(document, {
      ...surroundings,
      link: (ref) => note('link', ref, surroundings.link(ref)),
      image: (ref) => note('image', ref, surroundings.image(ref)),
      file: (ref) => note('file', ref, surroundings.file(ref)),
      reusable: (ref) => note('reusable', ref, surroundings.reusable(ref)),
      ...(surroundings.search && { search: (query: string) => note('search', query, surroundings.search?.(query)) }),
      ...(surroundings.specification && { specification: (ref: ContentRef) => note('specification', ref, surroundings.specification?.(ref)) }),
    });
    if (!content.isProvisional && !drawsFromSpecification) {
      const size = 2 * content.html.length + [...asked].reduce((sum, [name, { answer = '' }]) => sum + 4 * name.length + 2 * answer.length + 100, 2000);
      this.kept.set(key, { content, asked: [...asked.values()], size });
    }
    return content;
  }
}

/** An answer as a short text, another one for each. */
function said(answer: unknown): string | undefined {
  const text = JSON.stringify(answer);
  return text === undefined || text.length <= LONG_ANSWER ? text : digest(text);
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}
