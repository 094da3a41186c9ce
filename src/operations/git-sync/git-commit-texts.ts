import { Injectable } from '@nestjs/common';
import { Addresses } from '../../kernel/common/addresses.js';
import { Database } from '../../kernel/common/database.js';
import { commitMessage } from './domain/commit-message.js';

const MAX_CHANGES = 200;

/** The revisions of the primary line of the space `$1` after the revision `$2`; what came from the repository is not among them. */
const CHANGES = `SELECT r.number, r.subject, r.id AS "requestId", a.id AS "authorId", a.display_name AS name, a.email
    FROM revision v LEFT JOIN change_request r ON r.space_id = v.space_id AND r.id = v.merged_from
    LEFT JOIN account a ON a.id = coalesce(r.created_by, v.author_id)
   WHERE v.space_id = $1 AND v.line = '' AND v.git IS NULL
     AND v.sequence > coalesce((SELECT o.sequence FROM revision o WHERE o.space_id = $1 AND o.id = $2), 0)
     AND NOT EXISTS (SELECT FROM revision c WHERE c.space_id = v.space_id AND c.line = v.merged_from AND c.git IS NOT NULL)
   ORDER BY v.sequence DESC LIMIT ${MAX_CHANGES}`;

interface ChangeRow extends Record<string, unknown> {
  readonly number: number | null;
  readonly subject: string | null;
  readonly requestId: string | null;
  readonly authorId: string | null;
  readonly name: string | null;
  readonly email: string | null;
}

/** Words commits: what changed in a space since the last one, and by whom. */
@Injectable()
export class GitCommitTexts {
  constructor(
    private readonly database: Database,
    private readonly addresses: Addresses,
  ) {}

  /** The message of a commit with all changes after a revision, and the user who made the last one. */
  async of(
    spaceId: string,
    template: string | null,
    since: string | undefined,
  ): Promise<{ readonly message: string; readonly author?: string }> {
    const space = await this.database.one<{ title: string; organizationId: string; revision: string }>(
      'SELECT title, organization_id AS "organizationId", revision_id AS revision FROM space WHERE id = $1',
      [spaceId],
    );
    const rows = await this.database.query<ChangeRow>(CHANGES, [spaceId, since ?? null]);
    const [last] = rows;
    const changes = rows.toReversed().map(({ number, subject, requestId, name, email }) => ({
      ...(number !== null && { number, subject: subject ?? '' }),
      ...(requestId !== null && {
        address: this.addresses.app(`/o/${space?.organizationId ?? ''}/s/${spaceId}/changes/${number ?? ''}`),
      }),
      ...(name !== null && email !== null && { author: { name, email } }),
    }));
    const message = commitMessage({
      template,
      space: space?.title ?? '',
      changes,
      revision: space?.revision ?? '',
      author: last?.email ?? undefined,
    });
    return { message, ...(last?.authorId != null && { author: last.authorId }) };
  }
}
