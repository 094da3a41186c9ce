import { Amount, Id, Nested, ObjectName, OneOf, Text, Timestamp, Url } from '../../kernel/common/fields.js';
import type { OrganizationRun } from './organization-run.entity.js';

const STATUSES = ['pending', 'in-progress', 'completed', 'failed'] as const;
/** People and notes that an answer shows. */
const MOST_SHOWN = 1000;

class RunProgressBody {
  @Amount({ description: 'Parts of the work that are done', example: 12 }) done: number;
  @Amount({ description: 'Parts of the work; 0 while they are not known yet', example: 90 }) total: number;
}

class OrganizationRunBody {
  @Id() id: string;
  @OneOf(STATUSES) status: OrganizationRun['status'];
  @Nested(() => RunProgressBody) progress: RunProgressBody;
  @Timestamp() createdAt: string;
  @Timestamp({ optional: true }) startedAt?: string;
  @Timestamp({ optional: true }) completedAt?: string;
  @Text({ optional: true, description: 'Why it failed', example: 'end.json: tells of 2 rows of team, and there are 1' })
  error?: string;
  @Amount({ optional: true, description: 'Rows of all tables', example: 48_213 }) rows?: number;
  @Amount({ optional: true, description: 'Files', example: 120 }) files?: number;
}

export class OrganizationExportBody extends OrganizationRunBody {
  @ObjectName('organization-export') object: 'organization-export';
  @Url({
    optional: true,
    description: 'The archive, for a day',
    example:
      'https://files.docs.example.com/~files/AbCdEfGh0123456789Xy/organization.tar.gz?v=0123456789abcdef&expires=1767225600&signature=abc',
  })
  download?: string;
}

export class OrganizationImportBody extends OrganizationRunBody {
  @ObjectName('organization-import') object: 'organization-import';
  @Id({ optional: true, description: 'The organization, once it is there' }) organization?: string;
  @Text({
    list: true,
    optional: true,
    maxItems: MOST_SHOWN,
    description:
      'Addresses of the people who were members of the organization, and are until they are invited only authors',
    example: ['ada@example.com'],
  })
  waiting?: string[];
  @Text({
    list: true,
    optional: true,
    maxItems: MOST_SHOWN,
    description: 'Differences between the organization and the archive',
    example: ['The webhook https://hooks.example.com/ is off, and has a new secret.'],
  })
  notes?: string[];
}

const presentProgress = (run: OrganizationRun) => ({
  id: run.id,
  status: run.status,
  progress: { done: run.status === 'completed' ? run.steps : run.stepsDone, total: run.steps },
  createdAt: run.createdAt.toISOString(),
  ...(run.startedAt && { startedAt: run.startedAt.toISOString() }),
  ...(run.completedAt && { completedAt: run.completedAt.toISOString() }),
  ...(run.error !== null && { error: run.error }),
  ...(run.result && { rows: run.result.rows, files: run.result.files }),
});

/** An export; `download` is the address of what it has written. */
export const presentExport = (run: OrganizationRun, download: string | undefined): OrganizationExportBody => ({
  object: 'organization-export',
  ...presentProgress(run),
  ...(download !== undefined && { download }),
});

export function presentImport(run: OrganizationRun): OrganizationImportBody {
  const { waiting = [], notes = [] } = run.result ?? {};
  return {
    object: 'organization-import',
    ...presentProgress(run),
    ...(run.organizationId !== null && { organization: run.organizationId }),
    ...(run.result && { waiting: waiting.slice(0, MOST_SHOWN), notes: notes.slice(0, MOST_SHOWN) }),
  };
}
