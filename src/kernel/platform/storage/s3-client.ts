import { S3Client, S3ServiceException } from '@aws-sdk/client-s3';
import type { Config } from '../config/config.js';

export type S3Connection = Pick<
  Config,
  's3Endpoint' | 's3Region' | 's3AccessKeyId' | 's3SecretAccessKey' | 's3ForcePathStyle'
>;

/**
 * Milliseconds that connecting may take, and that a connection may be silent: a request without a response is an error
 * and never waits forever.
 */
const CONNECT_WITHIN = 5000;
const SILENT_FOR = 20_000;

/** A client of the S3-compatible service of the settings. */
export function s3Client(settings: S3Connection, silentFor = SILENT_FOR): S3Client {
  const { s3Endpoint, s3Region, s3AccessKeyId, s3SecretAccessKey, s3ForcePathStyle } = settings;
  return new S3Client({
    region: s3Region,
    forcePathStyle: s3ForcePathStyle,
    requestHandler: { connectionTimeout: CONNECT_WITHIN, socketTimeout: silentFor },
    ...(s3Endpoint !== undefined && { endpoint: s3Endpoint }),
    ...(s3AccessKeyId !== undefined &&
      s3SecretAccessKey !== undefined && {
        credentials: { accessKeyId: s3AccessKeyId, secretAccessKey: s3SecretAccessKey },
      }),
    // Services other than Amazon's often refuse the checksums that newer clients add by default.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
}

/**
 * Marks an error as one of this service, as its client does for most of them: their codes are also those of a lost
 * database connection.
 */
export async function ofStorage<Answer>(asked: Promise<Answer>): Promise<Answer> {
  try {
    return await asked;
  } catch (error) {
    throw error instanceof Error
      ? Object.assign(error, { $metadata: (error as { readonly $metadata?: object }).$metadata ?? {} })
      : error;
  }
}

/** Tells whether an object is missing, and not its bucket. */
export function isAbsent(error: unknown): boolean {
  return error instanceof S3ServiceException && error.$metadata.httpStatusCode === 404 && error.name !== 'NoSuchBucket';
}
