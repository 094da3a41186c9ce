import type { Readable } from 'node:stream';
import { OperatorError } from '../../kernel/platform/operator-error.js';
import type { S3Connection } from '../../kernel/platform/storage/s3-client.js';
import { FolderTarget } from './folder-target.js';

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

/**
 * The target at an address: a folder of this machine, or `s3://bucket/prefix` of the service of the S3 settings, whose
 * client is loaded only then.
 */
export async function openTarget(address: string, settings: S3Connection): Promise<BackupTarget> {
  if (!address.includes('://')) return new FolderTarget(address);
  const [, bucket, prefix = ''] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*))?$/.exec(address) ?? [];
  if (bucket === undefined)
    throw new OperatorError(`The target ${address} is no folder and no bucket: write a path, or s3://bucket/prefix`);
  const { S3Target } = await import('./s3-target.js');
  return new S3Target(address, bucket, prefix.replace(/^\/+|\/+$/g, ''), settings);
}
