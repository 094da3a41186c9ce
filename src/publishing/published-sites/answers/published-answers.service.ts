import { Injectable } from '@nestjs/common';
import {
  presentAnswer,
  type AnswerEvent,
  type AnswerFormat,
  type RecommendedQuestionEvent,
} from '../../../authoring/answers/answers.schema.js';
import type { ReaderAccess } from '../../../kernel/access/readers.js';
import { currentContext, type Caller } from '../../../kernel/common/context.js';
import { addressGroup } from '../../../kernel/platform/rate-limit/rate-limit.js';
import { DomainError, invalid } from '../../../kernel/common/errors.js';
import type { SiteAddress } from '../../sites/site-address.js';
import { customizationOf } from '../../sites/sites.schema.js';
import { Sites } from '../../sites/sites.service.js';
import { SiteStructures } from '../../sites/structure.service.js';
import { SiteReader } from '../reader-tokens.service.js';
import { searchedSpaces } from '../search/site-search.schema.js';
import { searchedBy, type SearchedSite } from '../search/site-search.service.js';
import { SiteAnswers } from './site-answers.service.js';
import type { AskSite, SiteQuestionsQuery } from './site-ask.schema.js';

/** Answers questions about sites for callers of the API: members from all that they can read, readers from what is shown to them. */
@Injectable()
export class PublishedAnswers {
  constructor(
    private readonly answers: SiteAnswers,
    private readonly sites: Sites,
    private readonly structures: SiteStructures,
  ) {}

  /** The answers to a question, each better than the one before. Throws `forbidden` for readers of a site whose `ai.mode` is `none`. */
  async *ask(
    caller: Caller,
    reader: ReaderAccess | undefined,
    address: SiteAddress,
    { question, context, scope }: AskSite,
    language: string | undefined,
    format: AnswerFormat,
  ): AsyncGenerator<AnswerEvent> {
    const site = await this.asked(caller, reader, address);
    const answers = this.answers.answers(site, {
      text: question,
      context: context?.goal === undefined ? [] : [context.goal],
      language,
      scope: searchedSpaces({
        scope:
          scope.mode === 'default' && scope.currentSiteSpace === undefined && context?.siteSpaceId !== undefined
            ? { ...scope, currentSiteSpace: context.siteSpaceId }
            : scope,
      }),
      asker: reader ? `address ${addressGroup(currentContext()?.ip)}` : caller.userId,
    });
    for await (const answer of answers) yield { type: 'answer', answer: presentAnswer(answer, format) };
  }

  /** The suggestions of the site, then headings that are questions. */
  async *questions(
    caller: Caller,
    reader: ReaderAccess | undefined,
    address: SiteAddress,
    { siteSpaceId, spaceId }: SiteQuestionsQuery,
  ): AsyncGenerator<RecommendedQuestionEvent> {
    const site = await this.asked(caller, reader, address);
    const wanted = site.siteSpaces.find(
      (row) => row.siteSpaceId === siteSpaceId || (siteSpaceId === undefined && row.id === spaceId),
    );
    if (siteSpaceId !== undefined && !wanted) throw invalid('siteSpaceId', 'is not a site space of this site');
    if (siteSpaceId === undefined && spaceId !== undefined && !wanted)
      throw invalid('spaceId', 'is not a space of this site');
    const { suggestions = [] } = customizationOf(await this.sites.get(address.id)).ai;
    const found = await this.answers.questions(site, wanted?.id);
    for (const question of new Set([...(wanted ? [] : suggestions), ...found])) yield { question };
  }

  private async asked(
    caller: Caller,
    reader: ReaderAccess | undefined,
    { id, organizationId }: SiteAddress,
  ): Promise<SearchedSite> {
    if (!(reader instanceof SiteReader))
      return { id, organizationId, ...(await this.structures.live(caller.userId, id)) };
    if (customizationOf(reader.visit.site).ai.mode === 'none')
      throw new DomainError('forbidden', 'This site does not answer questions of readers');
    return searchedBy(reader.visit);
  }
}
