import { existsSync, readFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { SentenceModel } from '../../../kernel/platform/sentence-vectors/sentence-model.js';
import { readWordVectors } from '../domain/word-vectors.js';
import { assigned, derived, rebuilt, type Task, type Tools } from './tasks.js';

/* The program of the thread that `EngineThread` starts: responds to each task by its number. */

const { wordVectors } = workerData as { wordVectors: string | undefined };
let tools: Tools | undefined;

function loaded(): Tools {
  return (tools ??= {
    wordVectors:
      wordVectors !== undefined && existsSync(wordVectors) ? readWordVectors(readFileSync(wordVectors)) : undefined,
    sentenceModel: new SentenceModel(),
  });
}

async function done(task: Task): Promise<unknown> {
  switch (task.name) {
    case 'derive':
      return derived(task.conversations);
    case 'assign':
      return assigned(task, loaded());
    case 'rebuild':
      return rebuilt(task, loaded());
  }
}

parentPort?.on('message', ({ number, task }: { number: number; task: Task }) => {
  done(task).then(
    (result) => parentPort?.postMessage({ number, result }),
    (error: unknown) =>
      parentPort?.postMessage({ number, error: error instanceof Error ? error.message : String(error) }),
  );
});
