import {
  block,
  codeBlock,
  document,
  inline,
  leaf,
  mark,
  paragraph,
  plain,
  text,
} from '../../../formats/document/build.js';
import type { Block, ContentRef, Document, Node } from '../../../formats/document/types.js';
import { titleOfSource, type Answer, type AnswerBlock, type AnswerSource } from './answer.js';

/** An answer as a document: passages below the title of their section, written sentences before the numbers of their sources. */
export function answerDocument({ method, blocks, sources }: Answer): Document {
  const nodes: Block[] = [];
  let last: number | undefined;
  let items: Block<'list-item'>[] = [];
  const endList = (): void => {
    if (items.length > 0) nodes.push(block('list-unordered', {}, items));
    items = [];
  };
  for (const each of blocks) {
    const [source] = each.sentences[0]?.sources ?? [];
    if (method === 'passages' && source !== undefined && source !== last) {
      endList();
      const from = sources[source];
      if (from) nodes.push(paragraph(link(from, titleOfSource(from), true)));
      last = source;
    }
    const isNumbered = method === 'model';
    if (each.kind === 'item') {
      items.push(block('list-item', {}, [paragraph(...line(each, sources, isNumbered))]));
      continue;
    }
    endList();
    nodes.push(...blocksOf(each, sources, isNumbered));
  }
  endList();
  return document(nodes);
}

function blocksOf(each: AnswerBlock, sources: readonly AnswerSource[], isNumbered: boolean): Block[] {
  if (each.kind === 'heading') return [block('heading-3', {}, [plain(wordsOf(each))])];
  if (each.kind === 'paragraph') return [paragraph(...line(each, sources, isNumbered))];
  const code = codeBlock(wordsOf(each), each.syntax === undefined ? {} : { syntax: each.syntax });
  return isNumbered ? [code, paragraph(...numbers(each.sentences[0]?.sources ?? [], sources))] : [code];
}

const wordsOf = ({ sentences }: AnswerBlock): string => sentences.map((sentence) => sentence.text).join(' ');

function line({ sentences }: AnswerBlock, sources: readonly AnswerSource[], isNumbered: boolean): Node[] {
  return sentences.flatMap((sentence, index) => [
    text(...(index > 0 ? [leaf(' ')] : []), ...leavesOf(sentence.text)),
    ...(isNumbered ? numbers(sentence.sources, sources) : []),
  ]);
}

/** Text with code between backticks. */
function leavesOf(words: string) {
  return words
    .split('`')
    .map((part, index, { length }) => (index % 2 === 1 && index < length - 1 ? leaf(part, [mark('code')]) : leaf(part)))
    .filter((part) => part.text !== '');
}

function numbers(indexes: readonly number[], sources: readonly AnswerSource[]): Node[] {
  return indexes.flatMap((index) => {
    const source = sources[index];
    return source ? [plain(' '), link(source, `[${index + 1}]`, false), plain('')] : [];
  });
}

function link(source: AnswerSource, words: string, isStrong: boolean): Node {
  return inline('link', { ref: referenceTo(source) }, [text(leaf(words, isStrong ? [mark('bold')] : []))]);
}

/** The reference to the page or section of a source. */
export function referenceTo({ space, page, anchor }: AnswerSource): ContentRef {
  return anchor === '' ? { kind: 'page', page, space } : { kind: 'anchor', anchor, page, space };
}
