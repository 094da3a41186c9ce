import { join } from 'node:path';
import S3rver from 's3rver';

/** A service of files for servers that a test starts. */
export interface S3Service {
  /** The settings with which a server keeps its files there. */
  readonly settings: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** Starts an S3 service with one bucket, whose objects lie in the folder `s3` below `folder`. */
export async function startS3(folder: string, bucket: string): Promise<S3Service> {
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory: join(folder, 's3'),
    configureBuckets: [{ name: bucket, configs: [] }],
  });
  const { port } = await server.run();
  return {
    settings: {
      FILES_STORAGE: 's3',
      S3_ENDPOINT: `http://127.0.0.1:${port}`,
      S3_BUCKET: bucket,
      S3_ACCESS_KEY_ID: 'S3RVER',
      S3_SECRET_ACCESS_KEY: 'S3RVER',
      S3_FORCE_PATH_STYLE: 'true',
    },
    close: async () => {
      await server.close();
    },
  };
}
