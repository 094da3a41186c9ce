import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Piscina } from 'piscina';
import { fromCentre, meanDirection } from './domain/sketch.js';
import { USUAL_TITLES } from './domain/usual-titles.js';
import { EMBEDDINGS_BATCH, EmbeddingsService } from './embeddings-service.js';

/** The model of sentences that is part of the program, for English, or the embeddings service of the operator. */
export type VectorSource = 'model' | 'service';

/** The thread ends after so many milliseconds without a text, to free the memory of the model. */
const IDLE_MILLISECONDS = 15 * 60_000;
const TIMEOUT = 30_000;
const MEMORY_LIMIT_MB = 256;
const NICE = 5;
/** A query comes between two batches of a background task. */
const AT_ONCE = 4;
const MODEL_BATCH = 8;
const BUILT_IN = 'universal-sentence-encoder-lite';
const THREAD = fileURLToPath(new URL(`./sentence-thread${extname(import.meta.url)}`, import.meta.url));

/**
 * Vectors of short texts whose angles tell how near their meanings are: from a service, or made in a thread of their own
 * that starts with the first text.
 */
@Injectable()
export class SentenceVectors implements OnApplicationShutdown {
  private thread: Piscina | undefined;
  private readonly centres = new Map<VectorSource, Promise<Float32Array>>();

  constructor(private readonly service: EmbeddingsService) {}

  async onApplicationShutdown(): Promise<void> {
    await this.thread?.destroy();
  }

  /** The name of the vectors of a source: vectors with another name cannot be compared. */
  nameOf(source: VectorSource): string {
    return source === 'model' ? BUILT_IN : (this.service.vectorsName ?? '');
  }

  /**
   * Returns a vector for each text, in order, as seen from the centre of usual titles; undefined for an empty text.
   * Rejects if the source fails.
   */
  async of(
    source: VectorSource,
    texts: readonly string[],
    signal?: AbortSignal,
  ): Promise<(Float32Array | undefined)[]> {
    const centre = await this.centreOf(source);
    const vectors = await this.vectors(source, texts, signal);
    return vectors.map((vector) => {
      if (vector && vector.length !== centre.length) throw new Error('its vectors differ in length');
      return vector && fromCentre(vector, centre);
    });
  }

  private centreOf(source: VectorSource): Promise<Float32Array> {
    const known = this.centres.get(source);
    if (known) return known;
    const centre = this.vectors(source, USUAL_TITLES).then((vectors) =>
      meanDirection(vectors.filter((vector) => vector !== undefined)),
    );
    this.centres.set(source, centre);
    centre.catch(() => this.centres.delete(source));
    return centre;
  }

  private async vectors(
    source: VectorSource,
    texts: readonly string[],
    signal?: AbortSignal,
  ): Promise<(ArrayLike<number> | undefined)[]> {
    const vectors = new Map<string, ArrayLike<number> | undefined>();
    // Batches of texts with the same length cost least.
    const open = [...new Set(texts)].filter((text) => text !== '').sort((one, other) => one.length - other.length);
    const size = source === 'model' ? MODEL_BATCH : EMBEDDINGS_BATCH;
    for (let at = 0; at < open.length; at += size) {
      signal?.throwIfAborted();
      const batch = open.slice(at, at + size);
      const made = source === 'model' ? await this.inThread(batch) : await this.service.vectorsOf(batch, signal);
      batch.forEach((text, index) => vectors.set(text, made[index]));
    }
    return texts.map((text) => vectors.get(text));
  }

  private async inThread(texts: readonly string[]): Promise<(Int8Array | undefined)[]> {
    this.thread ??= new Piscina({
      filename: THREAD,
      name: 'vectorsInThread',
      minThreads: 0,
      maxThreads: 1,
      concurrentTasksPerWorker: AT_ONCE,
      idleTimeout: IDLE_MILLISECONDS,
      niceIncrement: NICE,
      atomics: 'disabled',
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_LIMIT_MB },
    });
    return (await this.thread.run(texts, { signal: AbortSignal.timeout(TIMEOUT) })) as (Int8Array | undefined)[];
  }
}
