import type { Addresses } from '../../kernel/common/addresses.js';
import { Amount, Flag, Nested, ObjectName, OneOf, Text, Timestamp, Url } from '../../kernel/common/fields.js';
import { versioned } from '../../kernel/common/versioned.js';

export const ANALYSIS_STATUSES = ['idle', 'pending', 'analysing'] as const;

export class UpdateConversationsSettings {
  @Flag({ optional: true, description: 'Personal data is masked in everything that is ingested from now on' })
  redaction?: boolean;
  @Amount({
    optional: true,
    nullable: true,
    min: 1,
    max: 36_500,
    description: 'Days after which conversations are removed, counted from when they began; null for never',
    example: 365,
  })
  retentionDays?: number | null;
}

class AnalysisBody {
  @OneOf(ANALYSIS_STATUSES, {
    description: '`pending`: something waits to be read or clustered; `analysing`: it is being done',
  })
  status: (typeof ANALYSIS_STATUSES)[number];
  @Amount({ min: 0, example: 0, description: 'Conversations whose issues are still to be found' }) waiting: number;
  @Timestamp({ optional: true, description: 'When the clusters were built last' }) clusteredAt?: string;
  @Text({
    optional: true,
    description: 'Latest fault of the analysis; absent while it works',
    example: 'The embeddings service does not answer',
  })
  problem?: string;
}

class SettingsUrls {
  @Url() location: string;
}

export class ConversationsSettingsBody {
  @ObjectName('conversations-settings') object: 'conversations-settings';
  @Flag({
    description:
      'E-mail addresses, the numbers of telephones and payment cards, and names are masked before anything is stored',
  })
  redaction: boolean;
  @Amount({
    nullable: true,
    min: 1,
    description: 'Days after which conversations are removed; null for never',
    example: 365,
  })
  retentionDays: number | null;
  @Nested(() => AnalysisBody, { description: 'State of the analysis of the conversations' }) analysis: AnalysisBody;
  @Nested(() => SettingsUrls) urls: SettingsUrls;
}

/** The settings of an organization, and the progress of reading its conversations. */
export interface ConversationsSettingsRow {
  readonly organizationId: string;
  readonly redact: boolean;
  readonly retentionDays: number | null;
  readonly version: number;
  readonly waiting: number;
  readonly isWaiting: boolean;
  readonly isWorking: boolean;
  readonly builtAt: Date | null;
  readonly problem: string | null;
}

export function presentSettings(row: ConversationsSettingsRow, addresses: Addresses): ConversationsSettingsBody {
  return versioned(
    {
      object: 'conversations-settings',
      redaction: row.redact,
      retentionDays: row.retentionDays,
      analysis: {
        status: row.isWorking ? 'analysing' : row.isWaiting ? 'pending' : 'idle',
        waiting: row.waiting,
        ...(row.builtAt && { clusteredAt: row.builtAt.toISOString() }),
        ...(row.problem !== null && { problem: row.problem }),
      },
      urls: { location: addresses.location(`/orgs/${row.organizationId}/conversations-settings`) },
    },
    row.version,
  );
}
