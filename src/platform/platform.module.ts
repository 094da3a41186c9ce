import { Global, Module } from '@nestjs/common';
import { CONFIG, type Config } from '../config.js';
import { Outbox } from './outbox.js';
import { OutboxRelay } from './outbox-relay.js';
import { PublicListener } from './public-listener.js';
import { Blobs } from './storage/blobs.js';
import { FileEndpoint } from './storage/file-endpoint.js';
import { FileStorage } from './storage/file-storage.js';
import { FileUrls } from './storage/file-urls.js';
import { LocalStorage } from './storage/local-storage.js';
import { S3Storage } from './storage/s3-storage.js';

/** What knows of no domain but of the world outside: background work, files, limits, other servers. */
@Global()
@Module({
  providers: [
    Outbox,
    OutboxRelay,
    { provide: FileStorage, useFactory: (config: Config) => (config.filesStorage === 's3' ? new S3Storage(config) : new LocalStorage(config.filesDir)), inject: [CONFIG] },
    Blobs,
    FileUrls,
    FileEndpoint,
    PublicListener,
  ],
  exports: [Outbox, OutboxRelay, FileStorage, Blobs, FileUrls, FileEndpoint, PublicListener],
})
export class PlatformModule {}
