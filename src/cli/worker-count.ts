import { readFileSync } from 'node:fs';
import { availableParallelism, totalmem } from 'node:os';

/** More processes would need more connections than PostgreSQL has without a setting. */
const MOST = 16;
/** Memory for a process with its threads and its part of the database. */
const BYTES_EACH = 1024 ** 3;

/** The machine, or the part of it that the container may use. */
export interface Machine {
  readonly cores: number;
  /** Bytes. */
  readonly memory: number;
}

/** Processes that answer requests where no setting says how many: one fewer than the cores, as far as the memory suffices. */
export function defaultWorkers({ cores, memory }: Machine = thisMachine()): number {
  return Math.max(1, Math.min(Math.floor(cores) - 1, Math.floor(memory / BYTES_EACH), MOST));
}

function thisMachine(): Machine {
  // Without a limit it is 0, or more than there is.
  const limit = process.constrainedMemory();
  return {
    cores: Math.min(availableParallelism(), coresOf(cpuLimit())),
    memory: limit > 0 ? Math.min(totalmem(), limit) : totalmem(),
  };
}

/** The cores that the file `cpu.max` of a control group allows: microseconds of work, and the period in which they may be used. */
export function coresOf(cpuMax: string): number {
  const [quota = NaN, period = NaN] = cpuMax.split(' ').map(Number);
  return quota > 0 && period > 0 ? quota / period : Infinity;
}

/** Empty where there is no such file. */
function cpuLimit(): string {
  try {
    return readFileSync('/sys/fs/cgroup/cpu.max', 'utf8');
  } catch {
    return '';
  }
}
