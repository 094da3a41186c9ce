import { type Batch, batchesOf, conversationsIn } from './file-batches.js';

/** An answer to a file, or to the wish for the next of its batches: that batch, nothing behind the last one, or a fault. */
export type FileAnswer = Readonly<{ all: number; batch: Batch | undefined } | { fault: string }>;

let [all, batches]: [number, Iterator<Batch>] = [0, [].values()];

addEventListener('message', ({ data }: MessageEvent<File | 'next'>) => void answer(data));

async function answer(data: File | 'next'): Promise<void> {
  let answered: FileAnswer;
  try {
    if (data !== 'next') {
      const conversations = conversationsIn(await data.text());
      [all, batches] = [conversations.length, batchesOf(conversations).values()];
    }
    const next = batches.next();
    answered = { all, batch: next.done === true ? undefined : next.value };
  } catch (error) {
    answered = { fault: error instanceof Error ? error.message : String(error) };
  }
  postMessage(answered);
}
