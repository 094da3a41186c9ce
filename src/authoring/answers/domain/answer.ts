import type { PassageBlock, SectionText } from './passage.js';

/** A section of a page. */
export interface AnswerSource {
  readonly space: string;
  readonly spaceTitle: string;
  readonly revision: string;
  readonly page: string;
  readonly pageTitle: string;
  /** Anchor of the section; empty for the text before the first heading. */
  readonly anchor: string;
  readonly title: string;
  /** Address of the section for whoever asks. */
  readonly url: string;
}

/** A section that may answer a question, with its texts. */
export interface Passage extends AnswerSource {
  readonly text: SectionText;
  /** The language of its space. */
  readonly language: string | null;
}

/** A sentence, or a whole block of a passage, with the indexes of its sources. */
export interface AnswerSentence {
  readonly text: string;
  readonly sources: readonly number[];
}

export interface AnswerBlock extends Pick<PassageBlock, 'kind' | 'syntax'> {
  readonly sentences: readonly AnswerSentence[];
}

/** `model`: written by a language model from the sources; `passages`: passages of the sources; `none`: the sources say nothing. */
export const METHODS = ['model', 'passages', 'none'] as const;
export type AnswerMethod = (typeof METHODS)[number];

export interface Answer {
  readonly method: AnswerMethod;
  readonly blocks: readonly AnswerBlock[];
  readonly sources: readonly AnswerSource[];
  readonly followUps: readonly string[];
}

/** The first passages as an answer, in their order. */
export function passagesAnswer(passages: readonly Passage[], followUps: readonly string[]): Answer {
  return {
    method: passages.length === 0 ? 'none' : 'passages',
    blocks: passages.flatMap(({ text }, index) =>
      text.shown.map(({ kind, syntax, text: words }) => ({
        kind,
        ...(syntax !== undefined && { syntax }),
        sentences: [{ text: words, sources: [index] }],
      })),
    ),
    sources: passages.map(sourceOf),
    followUps,
  };
}

/** The blocks of a model as an answer, with the sources that it names. */
export function writtenAnswer(
  blocks: readonly AnswerBlock[],
  passages: readonly Passage[],
  followUps: readonly string[],
): Answer {
  const used = [...new Set(blocks.flatMap(({ sentences }) => sentences.flatMap(({ sources }) => sources)))].sort(
    (one, other) => one - other,
  );
  const places = new Map(used.map((source, index) => [source, index]));
  return {
    method: 'model',
    blocks: blocks.map((block) => ({
      ...block,
      sentences: block.sentences.map(({ text, sources }) => ({
        text,
        sources: [...new Set(sources)].flatMap((source) => places.get(source) ?? []),
      })),
    })),
    sources: used.flatMap((source) => (passages[source] ? [sourceOf(passages[source])] : [])),
    followUps,
  };
}

function sourceOf({ text: _text, language: _language, ...source }: Passage): AnswerSource {
  return source;
}

/** The title of a source: that of its page and, if it is another, of its section. */
export function titleOfSource({ pageTitle, title }: AnswerSource): string {
  return title === '' || title === pageTitle ? pageTitle : `${pageTitle} › ${title}`;
}
