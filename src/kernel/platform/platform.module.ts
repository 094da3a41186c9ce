import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ScheduleModule } from '@nestjs/schedule';
import { CONFIG, secretsOf, type Config } from './config/config.js';
import { Secrets } from '../common/secrets.js';
import { Announcements } from './announcements.js';
import { BackgroundWork } from './jobs/background-work.js';
import { JobScheduler } from './jobs/job-scheduler.js';
import { Jobs } from './jobs/jobs.js';
import { Lanes } from './jobs/lanes.js';
import { PlatformJobs } from './jobs/platform-jobs.js';
import { FairQueue } from './http/fair-queue.middleware.js';
import { RequestBodies } from './http/json-body.js';
import { SessionCookie } from './http/session-cookie.js';
import { Listeners } from './http/listeners.js';
import { ClocksCheck } from './health-checks/clocks.check.js';
import { OwnAddressesCheck, OwnCertificatesCheck } from './health-checks/own-addresses.check.js';
import { QueuesCheck } from './jobs/queues.check.js';
import { KeysCheck } from './keys/keys.check.js';
import { MailCheck } from './mail.check.js';
import { FilesCheck } from './storage/files.check.js';
import { KeyStates } from './keys/key-states.js';
import { Backfill } from './migrations/backfill.entity.js';
import { Backfills } from './migrations/backfills.js';
import { SchemaUpgrade } from './migrations/schema-upgrade.js';
import { ServerProcess } from './migrations/server-process.entity.js';
import { ServerProcesses } from './migrations/server-processes.js';
import { SealedValues } from './keys/sealed-values.js';
import { Mail } from './mail.js';
import { LanguageModel } from './language-model/language-model.js';
import { Outbound } from './outbound/outbound.js';
import { Outbox } from './outbox.js';
import { OutboxRelay } from './outbox-relay.js';
import { PublicListener } from './public-listener.js';
import { Budgets } from './rate-limit/budget.js';
import { CpuBudgets } from './rate-limit/cpu-budget.js';
import { RateLimit } from './rate-limit/rate-limit.js';
import { MonthsCheck } from './retention/months.check.js';
import { MonthsAheadJob } from './retention/months-ahead.job.js';
import { PastEventsJob } from './retention/past-events.job.js';
import { StaleRowsJob } from './retention/stale-rows.job.js';
import { ImageVariant } from './images/image-variant.entity.js';
import { ImageVariants } from './images/image-variants.js';
import { Blobs } from './storage/blobs.js';
import { FileEndpoint } from './storage/file-endpoint.js';
import { configuredStorage } from './storage/configured-storage.js';
import { FileStorage } from './storage/file-storage.js';
import { FileGate } from './storage/file-gate.js';
import { FileStandIns } from './storage/file-stand-ins.js';
import { FileUrls } from './storage/file-urls.js';
import { FileMoves } from './storage/file-moves.js';
import { StorageProbe } from './storage/storage-probe.js';
import { Health } from './telemetry/health.js';
import { createLog, LOG } from './telemetry/logger.js';
import { EventLoopMonitor } from './telemetry/event-loop-monitor.js';
import { Metrics } from './telemetry/metrics.js';
import { METRICS } from './telemetry/metrics-token.js';
import { OperatorEndpoints } from './telemetry/operator-endpoints.js';
import { EmbeddingsService } from './sentence-vectors/embeddings-service.js';
import { SentenceVectors } from './sentence-vectors/sentence-vectors.js';
import { WorkerPool } from './workers/worker-pool.js';
import { Blob } from './storage/blob.entity.js';
import { Event } from './event.entity.js';
import { EventAudience } from './event-audience.entity.js';
import { EventClaim } from './event-claim.entity.js';
import { EventConsumer } from './event-consumer.entity.js';
import { Idempotency } from './idempotency.entity.js';
import { JobLane } from './jobs/job-lane.entity.js';
import { RateBudget } from './rate-limit/rate-budget.entity.js';
import { ScheduleTick } from './jobs/schedule-tick.entity.js';
import { SealingKey } from './keys/sealing-key.entity.js';
import { brings, REGISTRY, Registry } from './manifest/registry.js';
import { platform } from './platform.manifest.js';

const SERVICES = [
  Announcements,
  Outbox,
  OutboxRelay,
  Jobs,
  Lanes,
  JobScheduler,
  BackgroundWork,
  Blobs,
  FileUrls,
  FileGate,
  FileStandIns,
  FileEndpoint,
  Listeners,
  PublicListener,
  Outbound,
  LanguageModel,
  EmbeddingsService,
  SentenceVectors,
  Mail,
  RateLimit,
  CpuBudgets,
  FairQueue,
  RequestBodies,
  SessionCookie,
  EventLoopMonitor,
  SealedValues,
  KeyStates,
  ServerProcesses,
  Health,
  Metrics,
  OperatorEndpoints,
  WorkerPool,
];

/** Modules without domain knowledge that deal with the environment: background work, files, limits, other servers. */
@Global()
@Module({
  imports: [
    TypeOrmModule.forFeature([
      Backfill,
      Blob,
      Event,
      EventAudience,
      EventClaim,
      EventConsumer,
      Idempotency,
      ImageVariant,
      JobLane,
      RateBudget,
      ScheduleTick,
      SealingKey,
      ServerProcess,
    ]),
    ScheduleModule.forRoot(),
  ],
  providers: [
    brings(platform),
    REGISTRY,
    ...SERVICES,
    Budgets,
    ImageVariants,
    PlatformJobs,
    Backfills,
    SchemaUpgrade,
    PastEventsJob,
    MonthsAheadJob,
    StaleRowsJob,
    StorageProbe,
    FilesCheck,
    KeysCheck,
    ClocksCheck,
    MailCheck,
    OwnAddressesCheck,
    OwnCertificatesCheck,
    QueuesCheck,
    MonthsCheck,
    FileMoves,
    {
      provide: LOG,
      useFactory: (config: Config, { settings }: Registry) => createLog(config, secretsOf(config, settings)),
      inject: [CONFIG, Registry],
    },
    { provide: METRICS, useExisting: Metrics },
    { provide: Secrets, useFactory: (config: Config) => new Secrets(config.secretKey), inject: [CONFIG] },
    { provide: FileStorage, useFactory: configuredStorage, inject: [CONFIG, Registry] },
  ],
  exports: [Budgets, Registry, ...SERVICES, FileStorage, LOG, Secrets],
})
export class PlatformModule {}
