import type { SpaceAccess } from '../../kernel/access/access.service.js';
import type { Addresses } from '../../kernel/common/addresses.js';
import { Id, Nested, ObjectName, OneOf, Text, Timestamp, Url } from '../../kernel/common/fields.js';
import { AgentName, presentUserTo, UserBody, userFacts, type UserFacts } from '../../identity/users/users.schema.js';
import { GitCommit, REVISION_TYPES } from './content.schema.js';
import type { RevisionType } from './content-lines.js';
import { appAddress } from './present-content.js';

class RevisionEntryUrls {
  @Url() app: string;
}

/** A revision in the history of a space: its origin, without its content. */
export class RevisionEntryBody {
  @ObjectName('revision') object: 'revision';
  @Id() id: string;
  @OneOf(REVISION_TYPES) type: RevisionType;
  @Id({ list: true, description: 'The revisions that it was made from, the one before it first' }) parents: string[];
  @Timestamp() createdAt: string;
  @Nested(() => UserBody, { optional: true, description: 'Absent where the server itself made it' }) author?: UserBody;
  @AgentName() agent?: string;
  @Text({ optional: true, example: 'Explain the installation' }) message?: string;
  @Id({ optional: true, description: 'The change request whose merge made it' }) changeRequest?: string;
  @Id({ optional: true, description: 'The revision whose content a rollback brought back' }) rolledBackTo?: string;
  @Nested(() => GitCommit, { optional: true }) git?: GitCommit;
  @Nested(() => RevisionEntryUrls) urls: RevisionEntryUrls;
}

/** A revision with its author. */
export interface RevisionEntryRow {
  readonly id: string;
  readonly type: RevisionType;
  readonly parents: string[];
  readonly createdAt: Date;
  readonly message: string | null;
  readonly git: GitCommit | null;
  readonly changeRequest: string | null;
  readonly rolledBackTo: string | null;
  readonly author: UserFacts | null;
  readonly agent: string | null;
}

/** The columns of `RevisionEntryRow`, over `r` revision and `u` account. */
export const REVISION_ENTRY_COLUMNS = `r.id, r.type, r.parents, r.created_at AS "createdAt", r.message, r.git, r.merged_from AS "changeRequest", r.rolled_back_to AS "rolledBackTo", r.agent,
  CASE WHEN u.id IS NOT NULL THEN ${userFacts('u')} END AS author`;

export const REVISION_ENTRY_FROM = `FROM revision r LEFT JOIN account u ON u.id = r.author_id`;

export function presentRevisionEntry(
  row: RevisionEntryRow,
  space: SpaceAccess,
  addresses: Addresses,
): RevisionEntryBody {
  return {
    object: 'revision',
    id: row.id,
    type: row.type,
    parents: row.parents,
    createdAt: row.createdAt.toISOString(),
    ...(row.author && { author: presentUserTo(space, row.author, addresses) }),
    ...(row.agent !== null && { agent: row.agent }),
    ...(row.message !== null && { message: row.message }),
    ...(row.changeRequest !== null && { changeRequest: row.changeRequest }),
    ...(row.rolledBackTo !== null && { rolledBackTo: row.rolledBackTo }),
    ...(row.git && { git: row.git }),
    urls: { app: appAddress(addresses, space, { revision: row.id }) },
  };
}
