import { IntersectionType } from '@nestjs/swagger';
import type { Addresses } from '../../kernel/common/addresses.js';
import { Amount, Free, Nested, ObjectName, OneOf, Text, Timestamp, Url } from '../../kernel/common/fields.js';
import { OrderedPageQuery } from '../../kernel/common/page-query.js';
import { PULSE_WEEKS, pulseOf } from './domain/pulse.js';
import type { SiteOf } from './domain/site-question.js';

export class AskedQuery {
  @Timestamp({ optional: true, description: 'Only what was asked then or later' }) from?: string;
  @Timestamp({ optional: true, description: 'Only what was asked then or earlier' }) to?: string;
}

export class QuestionsQuery extends IntersectionType(OrderedPageQuery, AskedQuery) {
  @OneOf(['askedAt', 'stats.answers'], {
    optional: true,
    description: 'By when they were asked last, or how often; by when they were asked first when omitted',
  })
  sort?: 'askedAt' | 'stats.answers';
}

class QuestionFeedback {
  @Amount({ min: 0, example: 0 }) positive: number;
  @Amount({ min: 0, example: 0 }) negative: number;
  @Amount({ min: 0, example: 3 }) unrated: number;
}

class QuestionAnswered {
  @Amount({ min: 0, example: 0 }) yes: number;
  @Amount({ min: 0, example: 0 }) partially: number;
  @Amount({ min: 0, example: 3 }) no: number;
}

class QuestionRelevance {
  @Amount({ min: 0, description: 'Those in which an issue was found', example: 2 }) relevant: number;
  @Amount({ min: 0, example: 0 }) spam: number;
  @Amount({ min: 0, example: 0 }) 'off-topic': number;
  @Amount({ min: 0, description: 'Those in which none was found, or not yet', example: 1 }) unclear: number;
}

class QuestionTypes {
  @Amount({ min: 0, example: 0 }) exploring: number;
  @Amount({ min: 0, example: 0 }) 'how-to': number;
  @Amount({ min: 0, example: 0 }) troubleshooting: number;
  @Amount({ min: 0, example: 0 }) reference: number;
  @Amount({ min: 0, example: 3 }) unknown: number;
}

const COUNTS = { type: 'object', additionalProperties: { type: 'integer' } } as const;

export class SiteQuestionStatsBody {
  @Amount({ min: 0, description: 'Questions', example: 1 }) total: number;
  @Amount({ min: 0, description: 'Days on which one of them was asked', example: 3 }) answers: number;
  @Nested(() => QuestionFeedback) feedback: QuestionFeedback;
  @Nested(() => QuestionAnswered, { description: 'Only questions without an answer are recorded' })
  answered: QuestionAnswered;
  @Nested(() => QuestionRelevance) relevance: QuestionRelevance;
  @Nested(() => QuestionTypes) types: QuestionTypes;
  @Free({ schema: COUNTS, example: { site: 3 } }) channelTypes: Record<string, number>;
  @Free({ schema: COUNTS, description: 'Empty: sites have no channels of their own', example: {} })
  channels: Record<string, number>;
  @Amount({
    min: 0,
    list: true,
    minItems: PULSE_WEEKS,
    maxItems: PULSE_WEEKS,
    description: 'How often they were asked in each of the past 13 weeks, the latest last',
    example: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 1],
  })
  weeklyPulse: number[];
}

class SiteQuestionUrls {
  @Url() location: string;
}

export class SiteQuestionBody {
  @ObjectName('site-question') object: 'site-question';
  @Text({ example: '0123456789abcdef0123456789abcdef' }) id: string;
  @Text({ description: 'As it was asked last', example: 'How do I paint the zeppelin?' }) question: string;
  @OneOf(['unknown'], { description: 'Questions are not classified' }) type: 'unknown';
  @Timestamp({ description: 'When it was asked first' }) createdAt: string;
  @Timestamp({ description: 'When it was asked last' }) askedAt: string;
  @Nested(() => SiteQuestionStatsBody) stats: SiteQuestionStatsBody;
  @Nested(() => SiteQuestionUrls) urls: SiteQuestionUrls;
}

/** A question and how often it was asked; a week is one of `PULSE_WEEKS` for each time, see `WeekOfSource`. */
export interface SiteQuestionRow {
  readonly id: string;
  readonly question: string;
  readonly createdAt: Date;
  readonly askedAt: Date;
  readonly asked: number;
  readonly relevant: number;
  readonly weeks: readonly number[];
}

/** How often all questions were asked. */
export interface SiteQuestionStatsRow {
  readonly questions: number;
  readonly asked: number;
  readonly relevant: number;
  readonly weeks: readonly { readonly week: number; readonly asked: number }[];
}

export function presentSiteQuestion(row: SiteQuestionRow, site: SiteOf, addresses: Addresses): SiteQuestionBody {
  const { id, question, createdAt, askedAt, weeks } = row;
  return {
    object: 'site-question',
    id,
    question,
    type: 'unknown',
    createdAt: createdAt.toISOString(),
    askedAt: askedAt.toISOString(),
    stats: presentQuestionStats({ ...row, questions: 1, weeks: weeks.map((week) => ({ week, asked: 1 })) }),
    urls: { location: addresses.location(`/orgs/${site.organizationId}/sites/${site.id}/questions/${id}`) },
  };
}

export function presentQuestionStats({
  questions,
  asked,
  relevant,
  weeks,
}: SiteQuestionStatsRow): SiteQuestionStatsBody {
  const { weeklyPulse } = pulseOf(weeks.map(({ week, asked: issues }) => ({ source: '', week, issues })));
  return {
    total: questions,
    answers: asked,
    feedback: { positive: 0, negative: 0, unrated: asked },
    answered: { yes: 0, partially: 0, no: asked },
    relevance: { relevant, spam: 0, 'off-topic': 0, unclear: asked - relevant },
    types: { exploring: 0, 'how-to': 0, troubleshooting: 0, reference: 0, unknown: asked },
    channelTypes: asked > 0 ? { site: asked } : {},
    channels: {},
    weeklyPulse,
  };
}
