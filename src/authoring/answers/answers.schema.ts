import { ApiExtraModels, getSchemaPath } from '@nestjs/swagger';
import { Amount, Flag, Free, Id, Nested, OneOf, Text } from '../../kernel/common/fields.js';
import type { Document } from '../../formats/document/types.js';
import { answerMarkdown } from './domain/answer-markdown.js';
import { answerDocument } from './domain/answer-document.js';
import { METHODS, titleOfSource, type AnswerMethod, type AnswerSource } from './domain/answer.js';
import { MAX_QUESTION, type RatedAnswer } from './answers.service.js';

export class AnswerFormat {
  @OneOf(['document', 'markdown'], { optional: true, description: 'Form of the answer; `document` when omitted' })
  format: 'document' | 'markdown' = 'document';
}

export class AnswerQuery extends AnswerFormat {
  @Flag({ optional: true, query: true, description: 'Adds how the answer was found' })
  details = false;
}

const QUESTION = {
  min: 1,
  max: MAX_QUESTION,
  description: 'A question, or words',
  example: 'How do I install the service?',
} as const;

export class StreamedAnswerQuery extends AnswerQuery {
  @Text(QUESTION)
  query: string;
}

export class AskQuestion {
  @Text(QUESTION)
  query: string;
  @Text({
    optional: true,
    list: true,
    maxItems: 10,
    max: MAX_QUESTION,
    description: 'Deprecated: earlier questions, which say what a short one is about',
    example: ['What is a space?'],
  })
  previousQueries?: string[];
}

export class AnswerSourcePage {
  @OneOf(['page']) type: 'page';
  @Id({ description: 'The page' }) page: string;
  @Id({ description: 'The revision of the space that was read' }) revision: string;
  @Id({ description: 'The space of the page' }) space: string;
  @Text({
    list: true,
    description:
      'Anchors of the sections that the answer is from; the page where the text stands before the first heading',
    example: ['requirements'],
  })
  sections: string[];
  @Text({ optional: true, description: 'The page and section by name', example: 'Installation › Requirements' })
  reason?: string;
}

class AnswerDetails {
  @Amount({
    min: 0,
    max: 1,
    fractional: true,
    description: 'The share of the question that the best source covers: rare words count more',
    example: 0.82,
  })
  coverage: number;
}

const METHOD_DESCRIPTION =
  '`model`: written by a language model, each sentence with the numbers of its sources; `passages`: passages of the content as they stand; `none`: the content does not answer the question';

export class AnswerBody {
  @Free({
    optional: true,
    description: 'The answer as a document, or `{markdown}`; absent where the content does not answer the question',
    example: { markdown: 'Install the package.' },
  })
  answer?: Document | { markdown: string };
  @Text({ list: true, description: 'Questions or titles to ask about next', example: ['Upgrade'] })
  followupQuestions: string[];
  @Nested(() => AnswerSourcePage, { list: true, description: 'The pages that the answer is from' })
  sources: AnswerSourcePage[];
  @OneOf(METHODS, { description: METHOD_DESCRIPTION })
  method: AnswerMethod;
  @Nested(() => AnswerDetails, { optional: true, description: 'With `details`' })
  details?: AnswerDetails;
}

export class AnswerEnvelope {
  @Nested(() => AnswerBody) answer: AnswerBody;
}

export class AnswerEvent extends AnswerEnvelope {
  @OneOf(['answer']) type: 'answer';
}

export class RecommendedQuestions {
  @Text({ list: true, example: ['What does a change request cost?'] }) questions: string[];
}

export class RecommendedQuestionEvent {
  @Text({ example: 'What does a change request cost?' }) question: string;
}

/** The description of a response of server-sent events whose data is a class. */
export function eventsOf(of: new () => object) {
  return { content: { 'text/event-stream': { schema: { $ref: getSchemaPath(of) } } } };
}

/** Publishes the classes that only event streams name. */
export const AnswerEvents = () => ApiExtraModels(AnswerEvent, RecommendedQuestionEvent);

/** The outward form of an answer. */
export function presentAnswer(
  answer: RatedAnswer,
  { format, details }: { readonly format: 'document' | 'markdown'; readonly details?: boolean },
): AnswerBody {
  return {
    ...(answer.method !== 'none' && {
      answer: format === 'markdown' ? { markdown: answerMarkdown(answer) } : answerDocument(answer),
    }),
    followupQuestions: [...answer.followUps],
    sources: presentSources(answer.sources),
    method: answer.method,
    ...(details && { details: { coverage: answer.coverage } }),
  };
}

/** The sources page by page, each with all its sections. */
function presentSources(sources: readonly AnswerSource[]): AnswerSourcePage[] {
  const pages = new Map<string, AnswerSourcePage>();
  for (const source of sources) {
    const { page, revision, space, anchor } = source;
    const section = anchor === '' ? page : anchor;
    const known = pages.get(`${space} ${page}`);
    if (known) known.sections.push(section);
    else
      pages.set(`${space} ${page}`, {
        type: 'page',
        page,
        revision,
        space,
        sections: [section],
        reason: titleOfSource(source),
      });
  }
  return [...pages.values()];
}
