import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { Injectable } from '@nestjs/common';
import { outlineOf, type ApiOutline } from './domain/computed/outline.js';
import { PARTS_PROGRAM, SpecificationParts } from './specification-parts.js';

export const MAX_SPECIFICATION_BYTES = 20 * 1024 ** 2;
const TIME_LIMIT = 20_000;
const MEMORY_LIMIT_MB = 512;

/** Beside the main thread, which has other requests to answer. Texts, so that they run the same from `src` and from `dist`. */
const PROGRAM = `const { parentPort, workerData: { parser, text } } = require('node:worker_threads');
const parsed = /^\\s*\\{/.test(text) ? JSON.parse(text) : require(parser).load(text);`;
const WHOLE = `${PROGRAM}
parentPort.postMessage(parsed);`;
const IN_PARTS = `${PROGRAM}
parentPort.postMessage((${PARTS_PROGRAM})(parsed));`;

/** Reads specifications. Nothing in them is ever fetched. */
@Injectable()
export class SpecificationParser {
  private last: Promise<unknown> = Promise.resolve();

  /** What pages need of a specification in JSON or YAML; null for what is none, is too large or takes too long. */
  async outline(bytes: Buffer): Promise<ApiOutline | null> {
    return this.reading(bytes, async (text) => outlineOf(/^\s*\{/.test(text) ? JSON.parse(text) : await this.inTurn(() => parsed(WHOLE, text))));
  }

  /** All of a specification, in parts that are read when they are asked for; null as above. */
  async parts(bytes: Buffer): Promise<SpecificationParts | null> {
    return this.reading(bytes, async (text) => {
      const parts = (await this.inTurn(() => parsed(IN_PARTS, text))) as Readonly<Record<string, string>> | null;
      return parts && new SpecificationParts(parts);
    });
  }

  private async reading<Read>(bytes: Buffer, read: (text: string) => Promise<Read | null>): Promise<Read | null> {
    if (bytes.length > MAX_SPECIFICATION_BYTES) return null;
    const text = bytes.toString('utf8').replace(/^\uFEFF/, '');
    try {
      return await read(text);
    } catch {
      return null;
    }
  }

  /** One after the other: each takes a processor for itself. */
  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.last.then(work);
    this.last = turn.catch(() => undefined);
    return turn;
  }
}

function parsed(program: string, text: string): Promise<unknown> {
  const parser = createRequire(import.meta.url).resolve('js-yaml');
  const worker = new Worker(program, { eval: true, workerData: { parser, text }, resourceLimits: { maxOldGenerationSizeMb: MEMORY_LIMIT_MB } });
  return new Promise<unknown>((resolve, reject) => {
    const limit = setTimeout(() => reject(new Error('the specification takes too long to read')), TIME_LIMIT);
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', () => {
      clearTimeout(limit);
      reject(new Error('the specification was not read'));
    });
  }).finally(() => worker.terminate());
}
