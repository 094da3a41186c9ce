import { resolve } from 'node:path';
import { z } from 'zod';
import { defineModule } from '../../kernel/platform/manifest/manifest.js';
import { migrationsOf } from '../../kernel/platform/package-folder.js';

/** A passphrase of this length resists guesses for as long as scrypt makes each of them slow. */
const SHORTEST_PASSPHRASE = 16;

export const backup = defineModule({
  name: 'backup',
  migrations: migrationsOf('backup'),
  settings: {
    backupKey: z
      .string()
      .min(SHORTEST_PASSPHRASE, `must have ${SHORTEST_PASSPHRASE} characters or more`)
      .optional()
      .describe('Passphrase that encrypts backups; keep it apart from them, for without it none can be restored')
      .meta({ secret: true }),
    backupKeyFile: z
      .string()
      .transform((path) => resolve(path))
      .optional()
      .describe('File of 32 random bytes or more that encrypts backups, in place of BACKUP_KEY'),
  },
  settingFaults: ({ backupKey, backupKeyFile }) =>
    backupKey !== undefined && backupKeyFile !== undefined
      ? ['BACKUP_KEY and BACKUP_KEY_FILE exclude each other: set one of them']
      : [],
});

declare module '../../kernel/platform/manifest/manifest.js' {
  interface Manifests {
    backup: typeof backup;
  }
}
