import { childBlocks, fragmentNamed, lineText, withBelow } from '../../../../formats/document/text.js';
import type { Block, Document } from '../../../../formats/document/types.js';
import { wordsOfBlocks } from './block-words.js';
import { tagsOfPage, type SpaceTree, type TreePage } from './space-tree.js';

/** The tag of pages whose expandables are frequently asked questions. */
const FAQ = 'faq';
/** Maximum number of questions that a page tells search engines. */
const QUESTIONS = 100;

/** A frequently asked question. */
export interface FrequentQuestion {
  readonly question: string;
  readonly answer: string;
}

/** Tells whether the expandables of a page are questions and their answers. */
export function hasQuestions(tree: SpaceTree, page: TreePage): boolean {
  return tagsOfPage(tree, page).some(({ tag }) => tag.id === FAQ);
}

/** The titles and contents of the expandables of a document; those inside of others belong to the answers of these. */
export function questionsIn(document: Document): FrequentQuestion[] {
  const found: FrequentQuestion[] = [];
  const collect = (block: Block): void => {
    if (block.type !== 'expandable') return childBlocks(block).forEach(collect);
    const [title] = fragmentNamed(block, 'expandable-title')?.nodes ?? [];
    const question = lineText(title?.nodes ?? []).trim();
    const answer = wordsOfBlocks((fragmentNamed(block, 'expandable-body')?.nodes ?? []).flatMap(withBelow));
    if (question !== '' && answer !== '' && found.length < QUESTIONS) found.push({ question, answer });
  };
  document.nodes.forEach(collect);
  return found;
}
