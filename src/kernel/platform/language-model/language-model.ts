import { Inject, Injectable } from '@nestjs/common';
import { propertyOf } from '../../common/property-of.js';
import { withoutSecrets } from '../../common/secrets.js';
import { CONFIG, type Config } from '../config/config.js';
import { OutboundError } from '../outbound/outbound-error.js';
import { Outbound } from '../outbound/outbound.js';

const MAX_ANSWER_BYTES = 2 * 1024 ** 2;

export type LanguageModelSettings = Pick<Config, 'llmUrl' | 'llmApiKey' | 'llmModel'>;

export interface ChatMessage {
  readonly role: 'system' | 'user';
  readonly content: string;
}

/** The language model gave no usable answer; the message has no secrets and says nothing of the texts. */
export class LanguageModelError extends Error {}

/** The chat model that the operator has configured: an interface compatible with that of OpenAI. */
@Injectable()
export class LanguageModel {
  /** Models that do not support other temperatures report it once. */
  private takesTemperature = true;

  constructor(
    @Inject(CONFIG) private readonly config: LanguageModelSettings,
    private readonly outbound: Outbound,
  ) {}

  get isConfigured(): boolean {
    return this.config.llmUrl !== undefined && this.config.llmModel !== undefined;
  }

  /**
   * Returns the text of the answer to some messages, without the reasoning that some models send before it. Waits at
   * most `timeout` milliseconds. Throws `LanguageModelError` if there is no model, or no answer.
   */
  async complete(
    messages: readonly ChatMessage[],
    { timeout, signal }: { readonly timeout: number; readonly signal?: AbortSignal },
  ): Promise<string> {
    const { llmUrl, llmModel } = this.config;
    if (llmUrl === undefined || llmModel === undefined) throw new LanguageModelError('no language model is configured');
    const { status, answer } = await this.post(
      `${llmUrl}/chat/completions`,
      { model: llmModel, messages, ...(this.takesTemperature && { temperature: 0 }) },
      { timeout, ...(signal && { signal }) },
    );
    if (status === 400 && this.takesTemperature && /temperature/i.test(JSON.stringify(answer) ?? '')) {
      this.takesTemperature = false;
      return this.complete(messages, { timeout, ...(signal && { signal }) });
    }
    if (status !== 200) throw new LanguageModelError(`it has answered with status ${status}`);
    const [choice]: unknown[] = [propertyOf(answer, 'choices')].flat();
    const content = propertyOf(propertyOf(choice, 'message'), 'content');
    if (typeof content !== 'string') throw new LanguageModelError('it has answered without a text');
    return content.replace(/^[^]*<\/think>/, '').trim();
  }

  private async post(
    url: string,
    body: object,
    limits: { readonly timeout: number; readonly signal?: AbortSignal },
  ): Promise<{ readonly status: number; readonly answer: unknown }> {
    const { llmApiKey } = this.config;
    try {
      const { status, body: bytes } = await this.outbound.fetch(url, {
        method: 'POST',
        headers: { accept: 'application/json', 'content-type': 'application/json' },
        ...(llmApiKey !== undefined && { credentials: { authorization: `Bearer ${llmApiKey}` } }),
        body: Buffer.from(JSON.stringify(body)),
        setByOperator: true,
        ...limits,
        maxBytes: MAX_ANSWER_BYTES,
      });
      return { status, answer: parsed(bytes.toString('utf8')) };
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      throw new LanguageModelError(withoutSecrets(error.message, llmApiKey), { cause: error });
    }
  }
}

/** The JSON of an answer; undefined for other text: the parser's error would quote a part of it. */
function parsed(json: string): unknown {
  try {
    return JSON.parse(json) as unknown;
  } catch {
    return undefined;
  }
}
