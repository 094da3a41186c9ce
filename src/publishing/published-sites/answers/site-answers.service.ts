import { Injectable } from '@nestjs/common';
import { Answers, type AskedQuestion, type RatedAnswer } from '../../../authoring/answers/answers.service.js';
import { RecommendedQuestionFinder } from '../../../authoring/answers/recommended-questions.js';
import type { RankedHit } from '../../../authoring/search/ranked-hits.js';
import { ConditionalPages } from '../search/conditional-pages.js';
import type { SearchedSpaces } from '../search/site-search.schema.js';
import { SiteSearch, type SearchedSite } from '../search/site-search.service.js';
import { UnansweredQuestions } from './unanswered-questions.js';

/** A question about a site. */
export interface SiteQuestion extends Pick<AskedQuestion, 'text' | 'context' | 'language' | 'asker'> {
  readonly scope: SearchedSpaces;
  /** Leaves out pages that whoever asks cannot see, and gives the others their addresses. */
  readonly place?: (hits: readonly RankedHit[]) => Promise<readonly RankedHit[]>;
}

/** Answers questions about sites from what whoever asks can see of them. */
@Injectable()
export class SiteAnswers {
  constructor(
    private readonly answering: Answers,
    private readonly search: SiteSearch,
    private readonly conditions: ConditionalPages,
    private readonly recommended: RecommendedQuestionFinder,
    private readonly unanswered: UnansweredQuestions,
  ) {}

  /** The passages at once, then the answer of a language model where there is one. Throws as a search of the site. */
  async *answers(site: SearchedSite, asked: SiteQuestion): AsyncGenerator<RatedAnswer> {
    for await (const answer of this.answering.answers(this.question(site, asked))) {
      if (answer.method === 'none') this.unanswered.note(site, asked.text);
      yield answer;
    }
  }

  /** The last and best answer. */
  async answer(site: SearchedSite, asked: SiteQuestion): Promise<RatedAnswer> {
    const answer = await this.answering.answer(this.question(site, asked));
    if (answer.method === 'none') this.unanswered.note(site, asked.text);
    return answer;
  }

  /** Headings that are questions, on pages that whoever asks sees as they are stored; of one space if it is given. */
  async questions(site: SearchedSite, spaceId?: string): Promise<string[]> {
    const spaces = site.siteSpaces
      .filter(({ id, deletedAt }) => deletedAt === null && (spaceId === undefined || id === spaceId))
      .map(({ id, sequence, hiddenPages }) => ({ id, sequence: String(sequence), hiddenPages }));
    if (spaces.length === 0) return [];
    const { hidden, rewritten } = await this.conditions.unseen(spaces, site.reader);
    return this.recommended.inSpaces(
      spaces.map(({ id }) => id),
      [...hidden, ...rewritten],
    );
  }

  private question(site: SearchedSite, { scope, place, ...asked }: SiteQuestion): AskedQuestion {
    return {
      ...asked,
      organizationId: site.organizationId,
      viewer: site.reader && { visitor: site.reader.visitor },
      find: async (query) => {
        const hits = await this.search.ranked(site, query, scope);
        return place ? place(hits) : hits;
      },
    };
  }
}
