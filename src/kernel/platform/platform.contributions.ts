import { ClocksCheck } from './health-checks/clocks.check.js';
import { HEALTH_CHECKS } from './health-checks/health-checks.points.js';
import { OwnAddressesCheck, OwnCertificatesCheck } from './health-checks/own-addresses.check.js';
import { QueuesCheck } from './jobs/queues.check.js';
import { KeysCheck } from './keys/keys.check.js';
import { MailCheck } from './mail.check.js';
import type { Contribution } from './manifest/contribution.js';
import { MonthsCheck } from './retention/months.check.js';
import { TABLES_BY_MONTH } from './retention/month-partitions.js';
import { FilesCheck } from './storage/files.check.js';

export const PLATFORM_CONTRIBUTIONS: readonly Contribution[] = [
  HEALTH_CHECKS.with(FilesCheck),
  HEALTH_CHECKS.with(KeysCheck),
  HEALTH_CHECKS.with(ClocksCheck),
  HEALTH_CHECKS.with(MailCheck),
  HEALTH_CHECKS.with(OwnAddressesCheck),
  HEALTH_CHECKS.with(OwnCertificatesCheck),
  HEALTH_CHECKS.with(QueuesCheck),
  HEALTH_CHECKS.with(MonthsCheck),
  TABLES_BY_MONTH.with('event'),
];
