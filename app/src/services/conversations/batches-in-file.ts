import { conversationTexts } from '../../texts/conversations.js';
import type { Batch } from './file-batches.js';
import type { FileAnswer } from './file-batches.worker.js';

/** The batches of a file with the number of its conversations; a large file is parsed in another thread. */
export async function* batchesInFile(
  file: File,
  signal: AbortSignal,
): AsyncGenerator<Readonly<{ batch: Batch; all: number }>> {
  const worker = new Worker(new URL('./file-batches.worker.ts', import.meta.url), { type: 'module' });
  const end = (): void => worker.terminate();
  signal.addEventListener('abort', end);
  const ask = (question: File | 'next'): Promise<FileAnswer> =>
    new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
      worker.onmessage = ({ data }: MessageEvent<FileAnswer>) => resolve(data);
      // A script that did not arrive has no message, nor has a thread without memory.
      worker.onerror = ({ message }: Partial<ErrorEvent>) =>
        reject(new Error(message || conversationTexts.upload.noReader));
      worker.postMessage(question);
    });
  try {
    signal.throwIfAborted();
    for (let answer = await ask(file); ; answer = await ask('next')) {
      if ('fault' in answer) throw new Error(answer.fault);
      if (!answer.batch) return;
      yield { batch: answer.batch, all: answer.all };
    }
  } finally {
    signal.removeEventListener('abort', end);
    end();
  }
}
