import { Injectable } from '@nestjs/common';
import type { Element } from 'hast';
import {
  titleOfSource,
  type Answer,
  type AnswerBlock,
  type AnswerSentence,
  type AnswerSource,
} from '../../../authoring/answers/domain/answer.js';
import { MAX_QUESTION } from '../../../authoring/answers/answers.service.js';
import type { Words } from '../../../formats/html/languages/language.js';
import { addressGroup, RateLimit } from '../../../kernel/platform/rate-limit/rate-limit.js';
import { customizationOf } from '../../sites/sites.schema.js';
import { SiteAnswers } from '../answers/site-answers.service.js';
import { searchedBy } from '../search/site-search.service.js';
import { ASK_PATH, SEARCH_PATH, siteSpacePath } from './domain/site-paths.js';
import type { HttpResponse } from './http-response.js';
import { element, symbol, type ElementChild } from './layout/elements.js';
import { PlacedHits } from './placed-hits.js';
import type { RequestedResource } from './requested-resource.js';
import type { SiteRequest } from './site-place.js';
import { SystemPages } from './system-pages.js';

/** Answers questions of readers on a page of its own, which the script of the site shows in a panel. */
@Injectable()
export class AskPage {
  constructor(
    private readonly answers: SiteAnswers,
    private readonly places: PlacedHits,
    private readonly own: SystemPages,
    private readonly limit: RateLimit,
  ) {}

  /** The answer to the question `q`, or questions to begin with; undefined for a site that answers none. */
  async answer(site: SiteRequest, { query, reader }: RequestedResource): Promise<HttpResponse | undefined> {
    const { ai } = customizationOf(site.visit.site);
    if (ai.mode === 'none') return undefined;
    await this.limit.admitReader(reader.ip);
    const question = (query.get('q') ?? '').trim().slice(0, MAX_QUESTION);
    const from = query.get('from');
    const current = site.visit.rows.siteSpaces.find(({ siteSpaceId }) => siteSpaceId === from);
    const searched = searchedBy(site.visit);
    const answer =
      question === ''
        ? undefined
        : await this.answers.answer(searched, {
            text: question,
            context: [],
            language: reader.language,
            asker: `address ${addressGroup(reader.ip)}`,
            scope: { mode: 'default', ...(current && { currentSiteSpace: current.siteSpaceId }), path: 'from' },
            place: (hits) => this.places.of(site, hits),
          });
    const suggestions = answer
      ? answer.followUps
      : [...new Set([...(ai.suggestions ?? []), ...(await this.answers.questions(searched))])];
    return this.own.show(site, current ? siteSpacePath(site.visit.rows, current) : '', ({ words }) => ({
      status: 200,
      title: question === '' ? words.ask : question,
      content: [
        askForm(site, words, question, from),
        element('section.answer', { ariaLabel: words.answer }, [
          ...(answer ? answerContent(answer, words, searchAddress(site, question)) : []),
          suggestions.length > 0 && suggestionList(site, words, suggestions, answer !== undefined),
        ]),
      ],
      headers: { 'Cache-Control': 'private, no-store', 'X-Robots-Tag': 'noindex, nofollow' },
    }));
  }
}

const searchAddress = ({ base }: SiteRequest, query: string): string =>
  `${base}/${SEARCH_PATH}?q=${encodeURIComponent(query)}`;

function askForm({ base }: SiteRequest, words: Words, question: string, from: string | null): Element {
  return element('form.ask', { action: `${base}/${ASK_PATH}`, method: 'get' }, [
    element('input', {
      type: 'text',
      name: 'q',
      value: question,
      placeholder: words.askFor,
      ariaLabel: words.askFor,
      autocomplete: 'off',
      required: true,
      maxlength: MAX_QUESTION,
    }),
    from !== null && element('input', { type: 'hidden', name: 'from', value: from }),
    element('button.button.button-primary', { type: 'submit' }, words.ask),
  ]);
}

function answerContent(answer: Answer, words: Words, search: string): ElementChild[] {
  if (answer.method === 'none')
    return [
      element('p.lead', words.unanswered),
      element('p', [element('a.button.button-secondary', { href: search }, [symbol('search'), words.searchInstead])]),
    ];
  return [
    element('p.answer-note', answer.method === 'model' ? words.answerWritten : words.answerPassages),
    ...(answer.method === 'model' ? written(answer) : passages(answer)),
    ...(answer.method === 'model'
      ? [
          element('h2', words.sources),
          element(
            'ol.answer-sources',
            answer.sources.map((source) => element('li', [sourceLink(source)])),
          ),
        ]
      : []),
  ];
}

/** The sentences of a model, each with the numbers of its sources. */
function written({ blocks, sources }: Answer): Element[] {
  const cited = ({ text, sources: indexes }: AnswerSentence): ElementChild[] => [
    ...inlineCode(text),
    ...indexes.flatMap((index) => {
      const source = sources[index];
      return source
        ? [' ', element('a.answer-citation', { href: source.url, title: titleOfSource(source) }, `[${index + 1}]`)]
        : [];
    }),
    ' ',
  ];
  return blocksOf(blocks, (block) =>
    block.kind === 'code' ? block.sentences.map(({ text }) => text) : block.sentences.flatMap(cited),
  );
}

/** Passages below the titles of their sections. */
function passages({ blocks, sources }: Answer): Element[] {
  return sources.map((source, index) =>
    element('article.answer-passage', [
      element('h2', [sourceLink(source)]),
      ...blocksOf(
        blocks.filter(({ sentences }) => sentences[0]?.sources[0] === index),
        ({ sentences }) => sentences.map(({ text }) => text),
      ),
    ]),
  );
}

const sourceLink = (source: AnswerSource): Element => element('a', { href: source.url }, titleOfSource(source));

function blocksOf(blocks: readonly AnswerBlock[], inside: (block: AnswerBlock) => readonly ElementChild[]): Element[] {
  const made: Element[] = [];
  let items: Element[] = [];
  const endList = (): void => {
    if (items.length > 0) made.push(element('ul', items));
    items = [];
  };
  for (const block of blocks) {
    if (block.kind === 'item') {
      items.push(element('li', inside(block)));
      continue;
    }
    endList();
    if (block.kind === 'code') made.push(element('pre', { tabIndex: 0 }, [element('code', inside(block))]));
    else made.push(element(block.kind === 'heading' ? 'h3' : 'p', inside(block)));
  }
  endList();
  return made;
}

/** Text with code between backticks. */
function inlineCode(text: string): ElementChild[] {
  return text
    .split('`')
    .map((part, index, { length }) => (index % 2 === 1 && index < length - 1 ? element('code', part) : part));
}

function suggestionList(
  { base }: SiteRequest,
  words: Words,
  questions: readonly string[],
  isBelowAnswer: boolean,
): Element {
  return element('nav.answer-next', { ariaLabel: isBelowAnswer ? words.askNext : words.askFor }, [
    isBelowAnswer && element('h2', words.askNext),
    element(
      'ul',
      questions.map((question) =>
        element('li', [
          element('a', { href: `${base}/${ASK_PATH}?q=${encodeURIComponent(question)}`, rel: ['nofollow'] }, question),
        ]),
      ),
    ),
  ]);
}
