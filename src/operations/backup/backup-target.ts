import type { Readable } from 'node:stream';

/** An object of a target as a listing shows it; its time is by the clock of the target. */
export interface TargetObject {
  readonly name: string;
  readonly size: number;
  readonly modifiedAt: Date;
}

/** Bytes to store: all of them, or as many as a stream gives. */
export type ObjectBody = Buffer | { readonly stream: Readable; readonly size: number };

/**
 * A place for backups: objects with names such as `data/ab/<id>`. An object is there as a whole or not at all, even
 * after the end of a process or machine in the middle of writing.
 */
export interface BackupTarget {
  /** The target as the operator names it. */
  readonly address: string;
  /** Stores an object durably, in the place of one with the same name. */
  put(name: string, body: ObjectBody): Promise<void>;
  /** The bytes of an object; undefined if there is none. */
  get(name: string): Promise<Readable | undefined>;
  has(name: string): Promise<boolean>;
  /** Removes an object; its absence is no error. */
  remove(name: string): Promise<void>;
  /** All objects below a folder, such as `data/`. */
  list(folder: string): AsyncIterable<TargetObject>;
  /** Removes what killed processes have left of objects; only while nobody writes. Returns their number. */
  removeUnfinished(): Promise<number>;
  close(): void;
}
