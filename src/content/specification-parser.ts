import { createRequire } from 'node:module';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { Injectable } from '@nestjs/common';
import { parseUnambiguous } from '../common/json-names.js';
import { outlineOf, type ApiOutline } from './domain/computed/outline.js';
import { PARTS_PROGRAM, SpecificationParts } from './specification-parts.js';

export const MAX_SPECIFICATION_BYTES = 20 * 1024 ** 2;
const TIME_LIMIT = 20_000;
const MEMORY_LIMIT_MB = 512;

/** Bytes of JSON that are read in less time than a thread takes to begin. */
const SMALL = 64 * 1024;
/** The same folder has the thread, as source or compiled as this file is. */
const OUTLINE = new URL(`./outline-thread${extname(import.meta.url)}`, import.meta.url);
/** A text, so that it runs the same from `src` and from `dist`. */
const IN_PARTS = `const { parentPort, workerData: { parser, bytes } } = require('node:worker_threads');
const text = new TextDecoder().decode(bytes);
parentPort.postMessage((${PARTS_PROGRAM})(/^\\s*\\{/.test(text) ? JSON.parse(text) : require(parser).load(text)));`;

/** Reads specifications. Nothing in them is ever fetched. */
@Injectable()
export class SpecificationParser {
  private last: Promise<unknown> = Promise.resolve();

  /** What pages need of a specification in JSON or YAML; null for what is none, is too large or takes too long. */
  async outline(bytes: Buffer): Promise<ApiOutline | null> {
    return this.reading(bytes, async () => {
      const text = bytes.length <= SMALL ? new TextDecoder().decode(bytes) : '';
      return /^\s*\{/.test(text) ? outlineOf(parseUnambiguous(text)) : ((await this.inTurn(() => inThread(OUTLINE, bytes))) as ApiOutline | null);
    });
  }

  /** All of a specification, in parts that are read when they are asked for; null as above. */
  async parts(bytes: Buffer): Promise<SpecificationParts | null> {
    return this.reading(bytes, async () => {
      const parts = (await this.inTurn(() => inThread(IN_PARTS, bytes))) as Readonly<Record<string, string>> | null;
      return parts && SpecificationParts.of(parts);
    });
  }

  private async reading<Read>(bytes: Buffer, read: () => Promise<Read | null>): Promise<Read | null> {
    if (bytes.length > MAX_SPECIFICATION_BYTES) return null;
    try {
      return await read();
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

/** What a thread says of a specification: beside the main one, which has other requests to answer. */
function inThread(program: string | URL, bytes: Buffer): Promise<unknown> {
  const parser = createRequire(import.meta.url).resolve('js-yaml');
  const worker = new Worker(program, { eval: typeof program === 'string', workerData: { parser, bytes }, resourceLimits: { maxOldGenerationSizeMb: MEMORY_LIMIT_MB } });
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
