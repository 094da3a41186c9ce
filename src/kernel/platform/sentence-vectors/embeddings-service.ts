import { Inject, Injectable } from '@nestjs/common';
import { propertyOf } from '../../common/property-of.js';
import { withoutSecrets } from '../../common/secrets.js';
import { CONFIG, type Config } from '../config/config.js';
import { Outbound } from '../outbound/outbound.js';
import { fold } from './domain/fold.js';

const TIMEOUT = 60_000;
const MAX_ANSWER_BYTES = 50 * 1024 ** 2;
/** The number of texts that one request has at most. */
export const EMBEDDINGS_BATCH = 64;
const MAX_TEXT = 2_000;
/** Longer vectors are folded to this length: comparing thousands of texts takes quadratic time. */
const MAX_DIMENSIONS = 1_024;

export type EmbeddingsSettings = Pick<Config, 'embeddingsUrl' | 'embeddingsApiKey' | 'embeddingsModel'>;

/** The embeddings interface that the operator has configured, compatible with that of OpenAI. */
@Injectable()
export class EmbeddingsService {
  constructor(
    @Inject(CONFIG) private readonly config: EmbeddingsSettings,
    private readonly outbound: Outbound,
  ) {}

  /** The name of the vectors, if a service is configured: vectors with another name cannot be compared. */
  get vectorsName(): string | undefined {
    const { embeddingsUrl, embeddingsModel } = this.config;
    return embeddingsUrl === undefined ? undefined : `service ${embeddingsModel ?? ''}`;
  }

  /**
   * Returns a vector of at most 1,024 numbers for each of at most 64 texts, of which the first 2,000 characters count.
   * Rejects with an error without secrets if there is no service, or it gives none.
   */
  async vectorsOf(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]> {
    const { embeddingsUrl, embeddingsModel, embeddingsApiKey } = this.config;
    if (embeddingsUrl === undefined) throw new Error('no embeddings service is configured');
    const input = texts.map((text) => text.slice(0, MAX_TEXT));
    try {
      const { status, body } = await this.outbound.fetch(`${embeddingsUrl}/embeddings`, {
        method: 'POST',
        headers: { accept: 'application/json', 'content-type': 'application/json' },
        ...(embeddingsApiKey !== undefined && { credentials: { authorization: `Bearer ${embeddingsApiKey}` } }),
        body: Buffer.from(JSON.stringify({ model: embeddingsModel, input, encoding_format: 'float' })),
        setByOperator: true,
        timeout: TIMEOUT,
        maxBytes: MAX_ANSWER_BYTES,
        ...(signal && { signal }),
      });
      if (status !== 200) throw new Error(`it has answered with status ${status}`);
      return vectorsIn(body.toString('utf8'), texts.length);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      throw new Error(withoutSecrets(message, embeddingsApiKey), { cause: error });
    }
  }
}

function vectorsIn(json: string, count: number): Float32Array[] {
  const data = propertyOf(parsed(json), 'data');
  if (!Array.isArray(data) || data.length !== count) throw new Error('it has answered without a vector for each text');
  const vectors: Float32Array[] = [];
  data.forEach((each: unknown, at) => {
    const [index, values] = [propertyOf(each, 'index') ?? at, propertyOf(each, 'embedding')];
    if (
      typeof index !== 'number' ||
      !Array.isArray(values) ||
      values.length === 0 ||
      !values.every((value) => Number.isFinite(value))
    )
      throw new Error('it has answered with something other than vectors');
    vectors[index] = fold(Float32Array.from(values as number[]), MAX_DIMENSIONS);
  });
  return vectors;
}

/** The parser's error would quote a part of the response, which may contain anything. */
function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw new Error('it has answered with something other than JSON');
  }
}
