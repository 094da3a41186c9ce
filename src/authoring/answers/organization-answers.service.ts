import { Injectable } from '@nestjs/common';
import type { OrganizationAccess } from '../../kernel/access/access.service.js';
import { OrganizationSearch } from '../search/organization-search.service.js';
import {
  presentAnswer,
  type AnswerEnvelope,
  type AnswerEvent,
  type AnswerQuery,
  type RecommendedQuestionEvent,
} from './answers.schema.js';
import { Answers, type AskedQuestion } from './answers.service.js';
import { RecommendedQuestionFinder } from './recommended-questions.js';

type AskedText = Pick<AskedQuestion, 'text' | 'context' | 'language'>;

/** Answers questions of members from the spaces that they can read. */
@Injectable()
export class OrganizationAnswers {
  constructor(
    private readonly answers: Answers,
    private readonly search: OrganizationSearch,
    private readonly recommended: RecommendedQuestionFinder,
  ) {}

  async ask(
    userId: string,
    organization: OrganizationAccess,
    asked: AskedText,
    query: AnswerQuery,
  ): Promise<AnswerEnvelope> {
    const answer = await this.answers.answer(this.question(userId, organization, asked));
    return { answer: presentAnswer(answer, query) };
  }

  async *stream(
    userId: string,
    organization: OrganizationAccess,
    asked: AskedText,
    query: AnswerQuery,
  ): AsyncGenerator<AnswerEvent> {
    for await (const answer of this.answers.answers(this.question(userId, organization, asked)))
      yield { type: 'answer', answer: presentAnswer(answer, query) };
  }

  async questions(userId: string, organization: OrganizationAccess): Promise<string[]> {
    return this.recommended.inOrganization(userId, organization);
  }

  async *questionStream(userId: string, organization: OrganizationAccess): AsyncGenerator<RecommendedQuestionEvent> {
    for (const question of await this.questions(userId, organization)) yield { question };
  }

  private question(userId: string, organization: OrganizationAccess, asked: AskedText): AskedQuestion {
    return {
      ...asked,
      organizationId: organization.id,
      viewer: undefined,
      asker: userId,
      find: (query) => this.search.ranked(userId, organization, query, asked.language),
    };
  }
}
