import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { Injectable } from '@nestjs/common';
import { infrastructureFaultOf } from '../../common/infrastructure-fault.js';
import { FileStorage } from './file-storage.js';

/** However many callers ask, the storage is probed once in so many milliseconds. */
const FRESH = 5000;
const PATIENCE = 2000;
const BYTES = 64;

interface Outcome {
  readonly problem: string | undefined;
  /** By the monotonic clock. */
  readonly at: number;
}

/** Checks whether the file storage works, by storing a few bytes, reading them and removing them. */
@Injectable()
export class StorageProbe {
  /** Unique to this server: another server that removes its own bytes does not remove these. */
  private readonly bytes = randomBytes(BYTES);
  private last: Outcome | undefined;
  private running: Promise<Outcome> | undefined;

  constructor(private readonly storage: FileStorage) {}

  /**
   * The problem, such as `the file storage cannot be used (EIO)`; undefined if there is none. Responds within two
   * seconds.
   */
  async problem(): Promise<string | undefined> {
    if (this.last && performance.now() - this.last.at < FRESH) return this.last.problem;
    this.running ??= this.ask().finally(() => (this.running = undefined));
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<string>(
      (resolve) => (timer = setTimeout(() => resolve('the file storage does not answer'), PATIENCE)),
    );
    return Promise.race([this.running.then(({ problem }) => problem), late]).finally(() => clearTimeout(timer));
  }

  private async ask(): Promise<Outcome> {
    const problem = await this.roundTrip().catch(describe);
    return (this.last = { problem, at: performance.now() });
  }

  private async roundTrip(): Promise<string | undefined> {
    const { hash } = await this.storage.put(this.bytes);
    const read = await buffer(await this.storage.get(hash));
    await this.storage.remove(hash);
    return read.equals(this.bytes) ? undefined : 'the file storage gives other bytes than it was given';
  }
}

function describe(error: unknown): string {
  const { code, name } = error as { readonly code?: unknown; readonly name?: unknown };
  const fault = infrastructureFaultOf(error)?.message ?? 'The file storage fails';
  return `${fault.charAt(0).toLowerCase()}${fault.slice(1)} (${String(code ?? name)})`;
}
