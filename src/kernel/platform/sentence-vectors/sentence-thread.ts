import { SentenceModel } from './sentence-model.js';

/* The program of the thread of `SentenceVectors`. */

let model: SentenceModel | undefined;

/** The vectors of some texts by the built-in model, in order. */
export function vectorsInThread(texts: readonly string[]): Promise<(Int8Array | undefined)[]> {
  model ??= new SentenceModel();
  return model.vectorsOf(texts);
}
