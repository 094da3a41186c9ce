import { Inject, Injectable, Logger } from '@nestjs/common';
import { Database } from '../../kernel/common/database.js';
import { CONFIG, type Config } from '../../kernel/platform/config/config.js';
import { FairQueue } from '../../kernel/platform/http/fair-queue.middleware.js';
import { LanguageModel, LanguageModelError } from '../../kernel/platform/language-model/language-model.js';
import { Budgets } from '../../kernel/platform/rate-limit/budget.js';
import { deriveDocument } from '../../formats/document/derive.js';
import { AgentInstructionsOfOrganizations } from '../agent-instructions/agent-instructions.service.js';
import type { RankedHit } from '../search/ranked-hits.js';
import { supportedBlocks } from './domain/answer-check.js';
import { answerMessages, parseModelAnswer } from './domain/answer-prompt.js';
import { passagesAnswer, writtenAnswer, type Answer, type Passage } from './domain/answer.js';
import { followUpQuestions } from './domain/follow-ups.js';
import { PassageReader, type PassageViewer } from './passage-reader.js';

/**
 * The share of the weight of a question that the best section must cover; below it the documentation does not answer.
 * Chosen by `npm run eval:search`, with the questions of other documentations as those without an answer.
 */
const ANSWERED = 0.5;
/** The share of the weight of a question that must stand within a few sentences. */
const NEAR_TOGETHER = 0.55;
/** Passages with less than this share of what the best one has are no sources. */
const NEARLY_AS_NEAR = 0.7;
/** Pages that cover less than this of a question without an answer are not named. */
const NEAR_BY = 0.3;
/** Pages with less than this share of the score of the best one are no sources. */
const RELEVANT = 0.4;
const PAGES_READ = 6;
const PASSAGES_SHOWN = 3;
/** Answers in a minute that the model writes for one user or address. */
const ANSWERS_OF_ONE = 10;
const MODEL_MILLISECONDS = 25_000;
/** Milliseconds for which a failed model is not asked. */
const REST = 60_000;
const INSTRUCTIONS_CHARACTERS = 2_000;
/** Maximum length of a question in characters. */
export const MAX_QUESTION = 512;

/** A question and who asks it. */
export interface AskedQuestion {
  readonly organizationId: string;
  readonly text: string;
  /** Earlier questions, and what whoever asks wants to reach: used where the question alone finds nothing. */
  readonly context: readonly string[];
  /** The language that whoever asks prefers. */
  readonly language?: string | undefined;
  readonly viewer: PassageViewer;
  /** Identifies whoever asks: a user, or an address. */
  readonly asker: string;
  /** Finds pages among those that whoever asks can see. */
  readonly find: (query: string) => Promise<readonly RankedHit[]>;
}

/** The findings for a question: the answer without a model, and the passages that a model reads. */
interface Findings {
  readonly answer: Answer;
  readonly passages: readonly Passage[];
  readonly coverage: number;
}

/** An answer with the share of the question that its best source covers. */
export interface RatedAnswer extends Answer {
  readonly coverage: number;
}

/** Answers questions from the content that whoever asks can see. */
@Injectable()
export class Answers {
  private readonly logger = new Logger(Answers.name);
  /** The time until which the model is not asked, by the monotonic clock. */
  private resting = 0;

  constructor(
    private readonly passages: PassageReader,
    private readonly model: LanguageModel,
    private readonly instructions: AgentInstructionsOfOrganizations,
    private readonly database: Database,
    private readonly budgets: Budgets,
    private readonly queue: FairQueue,
    @Inject(CONFIG) private readonly config: Pick<Config, 'answersLlm' | 'answersPerMinute'>,
  ) {}

  /** The last and best answer. */
  async answer(question: AskedQuestion): Promise<RatedAnswer> {
    let last: RatedAnswer | undefined;
    for await (const answer of this.answers(question)) last = answer;
    if (!last) throw new Error('a question has at least one answer');
    return last;
  }

  /** The passages at once, and the answer of the model where there is one: each replaces the one before it. */
  async *answers(question: AskedQuestion): AsyncGenerator<RatedAnswer> {
    const { answer, passages, coverage } = await this.find(question);
    if (answer.method === 'none' || !(await this.mayWrite(question))) {
      yield { ...answer, coverage };
      return;
    }
    yield { ...answer, coverage };
    const written = await this.written(question, passages, answer);
    if (written) yield { ...written, coverage };
  }

  private async find(question: AskedQuestion): Promise<Findings> {
    let hits = await question.find(question.text);
    const more = question.context.at(-1);
    if (coverageOf(hits) < ANSWERED && more !== undefined) {
      const others = await question.find(`${question.text} ${more}`.slice(0, MAX_QUESTION));
      if (coverageOf(others) > coverageOf(hits)) hits = others;
    }
    const coverage = coverageOf(hits);
    const best = hits[0]?.score ?? 0;
    const relevant = hits.filter((hit) => hit.score >= RELEVANT * best && hit.coverage >= RELEVANT * coverage);
    const read =
      coverage < ANSWERED
        ? []
        : await this.passages.read(question.organizationId, relevant.slice(0, PAGES_READ), question.viewer);
    const nearest = Math.max(0, ...read.map(({ text }) => text.nearness));
    const passages =
      nearest < NEAR_TOGETHER ? [] : read.filter(({ text }) => text.nearness >= NEARLY_AS_NEAR * nearest);
    const shown = passages.slice(0, PASSAGES_SHOWN);
    return {
      answer: passagesAnswer(
        shown,
        followUpQuestions(shown.length > 0 ? hits : hits.filter((hit) => hit.coverage >= NEAR_BY), shown),
      ),
      passages,
      coverage: read.length === 0 ? coverage : Math.min(coverage, nearest),
    };
  }

  /** Tells whether a model may be asked; the budget of the organization counts what is asked. */
  private async mayWrite({ organizationId, asker }: AskedQuestion): Promise<boolean> {
    if (!this.config.answersLlm || !this.model.isConfigured || performance.now() < this.resting) return false;
    const organization = await this.database.one<{ ai: boolean }>('SELECT ai FROM organization WHERE id = $1', [
      organizationId,
    ]);
    if (!organization?.ai) return false;
    const own = await this.budgets.spend(`answers-of:${asker}`, ANSWERS_OF_ONE);
    return own.allowed && (await this.budgets.spend(`answers:${organizationId}`, this.config.answersPerMinute)).allowed;
  }

  /** The answer of the model; undefined if it fails, is slow, says nothing, or says what no source says. */
  private async written(
    { organizationId, text, context, language }: AskedQuestion,
    passages: readonly Passage[],
    { followUps }: Answer,
  ): Promise<Answer | undefined> {
    const inOtherLanguage =
      language !== undefined &&
      passages.some((passage) => passage.language !== null && baseOf(passage.language) !== baseOf(language));
    const { instructions } = await this.instructions.get(organizationId);
    const messages = answerMessages({
      question: text,
      context,
      ...(language !== undefined && {
        language: new Intl.DisplayNames(['en'], { type: 'language' }).of(language) ?? language,
      }),
      instructions: deriveDocument(instructions).text.slice(0, INSTRUCTIONS_CHARACTERS),
      passages,
    });
    try {
      const content = await this.queue.outside(() => this.model.complete(messages, { timeout: MODEL_MILLISECONDS }));
      const answer = parseModelAnswer(content);
      if (answer === undefined || answer === 'none') return undefined;
      const blocks = supportedBlocks(answer.blocks, passages, { inOtherLanguage });
      return blocks && writtenAnswer(blocks, passages, answer.followUps.length > 0 ? answer.followUps : followUps);
    } catch (error) {
      if (!(error instanceof LanguageModelError)) throw error;
      this.resting = performance.now() + REST;
      this.logger.warn(`The language model has failed, answers are passages for a minute: ${error.message}`);
      return undefined;
    }
  }
}

/** The coverage of the best of the first pages. */
function coverageOf(hits: readonly RankedHit[]): number {
  return Math.max(0, ...hits.slice(0, PASSAGES_SHOWN).map(({ coverage }) => coverage));
}

/** A language without its region. */
const baseOf = (language: string): string => language.toLowerCase().split('-', 1)[0] ?? '';
