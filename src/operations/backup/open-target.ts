import { OperatorError } from '../../kernel/platform/operator-error.js';
import type { S3Connection } from '../../kernel/platform/storage/s3-client.js';
import type { BackupTarget } from './backup-target.js';
import { FolderTarget } from './folder-target.js';

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
