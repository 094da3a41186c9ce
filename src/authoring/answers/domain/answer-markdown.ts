import { serializeMarkdown } from '../../../formats/markdown/serialize.js';
import { answerDocument } from './answer-document.js';
import type { Answer } from './answer.js';

/** An answer as Markdown, with links to its sources. */
export function answerMarkdown(answer: Answer): string {
  return serializeMarkdown(answerDocument(answer), {
    render: (ref) => {
      if (ref.kind !== 'page' && ref.kind !== 'anchor') return '';
      const anchor = ref.kind === 'anchor' ? ref.anchor : '';
      const isMeant = (source: Answer['sources'][number]): boolean =>
        source.space === ref.space && source.page === ref.page && source.anchor === anchor;
      return answer.sources.find(isMeant)?.url ?? '';
    },
  });
}
