import { propertyOf } from '../../../kernel/common/property-of.js';
import { TermFinder } from '../domain/glossary.js';
import { stemmerOf } from '../domain/stemmer.js';
import { keepsMarkers, segmentText, type Segment } from '../domain/segment.js';
import { inBatches } from './batches.js';
import { chatAnswer, chatMessages, type ChatTask } from './domain/chat-protocol.js';
import { EngineError } from './engine-error.js';
import { serviceErrorMessage, type EngineHttp, type HttpAnswer } from './engine-http.js';
import type { Engine, EngineAnswer, TranslationJob, Translator } from './translation-engine.js';

/** The amount that models with a small context translate without losing segments. */
const LIMITS = { segments: 30, characters: 5_000 };

/**
 * A model behind an OpenAI-compatible chat interface. It receives instructions and the terms that occur; ids and
 * markers of its answers are checked, and invalid ones are requested again, then one by one.
 */
export class ChatModel implements Engine {
  readonly title = 'the language model';
  /** Models that do not support other temperatures report it once. */
  private takesTemperature = true;

  constructor(
    private readonly http: EngineHttp,
    private readonly model: string,
  ) {}

  async find(source: string, target: string): Promise<Translator | undefined> {
    return {
      name: `chat ${this.model} ${source} ${target}`,
      hides: 'nothing',
      translate: (segments, job) => this.translate(segments, job),
    };
  }

  async offer(): Promise<string> {
    return `all languages that ${this.model} knows`;
  }

  private async translate(segments: readonly Segment[], job: TranslationJob): Promise<EngineAnswer> {
    const languages = { source: languageName(job.source), target: languageName(job.target) };
    const terms = new TermFinder(job.glossary, await stemmerOf(job.source));
    const answers = await inBatches(segments, LIMITS, async (batch) => {
      const task = {
        ...languages,
        ...(job.instructions !== undefined && { instructions: job.instructions }),
        glossary: terms.in(batch.map(segmentText).join('\n')),
      };
      return this.batch(task, batch, job.signal);
    });
    return { segments: answers };
  }

  /** Requests a batch, once more the missing segments of the answer, and then each of these separately. */
  private async batch(
    task: ChatTask,
    batch: readonly Segment[],
    signal: AbortSignal,
  ): Promise<(Segment | undefined)[] | 'tooLarge'> {
    const answers: (Segment | undefined)[] = batch.map(() => undefined);
    const missing = (): number[] => answers.flatMap((answer, index) => (answer === undefined ? [index] : []));
    const ask = async (indexes: readonly number[]): Promise<boolean> => {
      const asked = indexes.map((index) => batch[index] ?? []);
      const given = await this.ask(task, asked, signal);
      if (given === 'tooLarge') return false;
      for (const [at, segment] of given)
        if (keepsMarkers(asked[at] ?? [], segment)) answers[indexes[at] ?? 0] = segment;
      return true;
    };
    if (!(await ask(missing()))) return 'tooLarge';
    if (missing().length > 0) await ask(missing());
    if (batch.length > 1) for (const index of missing()) await ask([index]);
    if (batch.length > 1 && missing().length === batch.length)
      throw new EngineError(
        'malformed',
        `The language model ${this.model} does not answer as it is asked to: it is too small for translations, or not meant for them`,
      );
    return answers;
  }

  private async ask(
    task: ChatTask,
    segments: readonly Segment[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<number, Segment> | 'tooLarge'> {
    const body = {
      model: this.model,
      messages: chatMessages(task, segments),
      ...(this.takesTemperature && { temperature: 0 }),
    };
    const answer = await this.http.ask('/chat/completions', { body, signal, isFinal: isOutOfQuota });
    if (isOutOfQuota(answer))
      throw new EngineError(
        'quota',
        'The quota of the language model is used up (429): its operator has to check the account',
      );
    if (answer.status === 400 && this.takesTemperature && /temperature/i.test(serviceErrorMessage(answer.body))) {
      this.takesTemperature = false;
      return this.ask(task, segments, signal);
    }
    if (isTooLarge(answer)) return 'tooLarge';
    if (answer.status !== 200) throw this.http.fault(answer);
    const choices = propertyOf(answer.body, 'choices');
    const choice: unknown = Array.isArray(choices) ? choices[0] : undefined;
    if (choice === undefined) throw this.http.fault(answer);
    if (propertyOf(choice, 'finish_reason') === 'length') return 'tooLarge';
    const content = propertyOf(propertyOf(choice, 'message'), 'content');
    return (
      (typeof content === 'string' ? chatAnswer(content, segments.length) : undefined) ?? new Map<number, Segment>()
    );
  }
}

/** The English name of a language, which models understand better than codes. */
function languageName(code: string): string {
  return new Intl.DisplayNames(['en'], { type: 'language' }).of(code) ?? code;
}

/** An exhausted account has the same status as a busy service. */
function isOutOfQuota({ status, body }: HttpAnswer): boolean {
  const error = propertyOf(body, 'error');
  return status === 429 && [propertyOf(error, 'code'), propertyOf(error, 'type')].includes('insufficient_quota');
}

function isTooLarge({ status, body }: HttpAnswer): boolean {
  const error = propertyOf(body, 'error');
  return (
    status === 413 ||
    (status === 400 &&
      (propertyOf(error, 'code') === 'context_length_exceeded' ||
        /context (length|size|window)|too many tokens|too long/i.test(serviceErrorMessage(body))))
  );
}
