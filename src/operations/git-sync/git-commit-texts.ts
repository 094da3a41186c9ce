import { Injectable } from '@nestjs/common';
import { Addresses } from '../../kernel/common/addresses.js';
import { Database } from '../../kernel/common/database.js';
import { notFound } from '../../kernel/common/errors.js';
import type { ExportStep } from '../imports/git/git-exporter.service.js';
import { commitMessage, type CommittedChange } from './domain/commit-message.js';
import { commitSteps, type UncommittedRevision } from './domain/commit-steps.js';

/** Changes that messages tell of; earlier ones are in the first commit without being told. */
const MAX_CHANGES = 200;

/** The revisions of the primary line of the space `$1` after the revision `$2`. */
const CHANGES = `SELECT v.id, r.number, r.subject, r.id AS "requestId", a.id AS "authorId", a.display_name AS name, a.email,
    CASE WHEN v.git IS NOT NULL THEN 'note'
         WHEN EXISTS (SELECT FROM revision c WHERE c.space_id = v.space_id AND c.line = v.merged_from
                        AND c.git ->> 'ref' = (SELECT g.ref FROM git_installation g WHERE g.space_id = v.space_id)) THEN 'branch'
         ELSE 'change' END AS kind
    FROM revision v LEFT JOIN change_request r ON r.space_id = v.space_id AND r.id = v.merged_from
    LEFT JOIN account a ON a.id = coalesce(r.created_by, v.author_id)
   WHERE v.space_id = $1 AND v.line = ''
     AND v.sequence > coalesce((SELECT o.sequence FROM revision o WHERE o.space_id = $1 AND o.id = $2), 0)
   ORDER BY v.sequence DESC LIMIT ${MAX_CHANGES}`;

/** The change request `$2` of the space `$1`, and the people who have changed it after its revision `$3`, the last one first. */
const REQUEST = `SELECT r.number, r.subject, s.title, s.organization_id AS "organizationId", to_jsonb(c) AS creator,
    ARRAY(SELECT jsonb_build_object('id', a.id, 'name', a.display_name, 'email', a.email) FROM account a
      JOIN (SELECT v.author_id, max(v.sequence) AS last FROM revision v
        WHERE v.space_id = $1 AND v.line = $2 AND v.type <> 'update' AND v.git IS NULL
          AND v.sequence > coalesce((SELECT o.sequence FROM revision o WHERE o.space_id = $1 AND o.id = $3 AND o.line = $2), 0)
        GROUP BY v.author_id ORDER BY last DESC LIMIT ${MAX_CHANGES}) w ON w.author_id = a.id ORDER BY w.last DESC) AS writers
    FROM change_request r JOIN space s ON s.id = r.space_id
    JOIN LATERAL (SELECT a.id, a.display_name AS name, a.email FROM account a WHERE a.id = r.created_by) c ON true
   WHERE r.space_id = $1 AND r.id = $2`;

interface Person {
  readonly id: string;
  readonly name: string;
  readonly email: string;
}

interface RequestRow extends Record<string, unknown> {
  readonly number: number;
  readonly subject: string;
  readonly title: string;
  readonly organizationId: string;
  readonly creator: Person;
  readonly writers: readonly Person[];
}

interface ChangeRow extends Record<string, unknown> {
  readonly id: string;
  readonly kind: UncommittedRevision['kind'];
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

  /** The commits with all changes after a revision: one, unless each change is to be a commit of its own. */
  async steps(
    spaceId: string,
    since: string | undefined,
    { template, isSquashed }: { readonly template: string | null; readonly isSquashed: boolean },
  ): Promise<ExportStep[]> {
    const space = await this.database.one<{ title: string; organizationId: string; revision: string }>(
      'SELECT title, organization_id AS "organizationId", revision_id AS revision FROM space WHERE id = $1',
      [spaceId],
    );
    if (!space) throw notFound('Space');
    const rows = await this.database.query<ChangeRow>(CHANGES, [spaceId, since ?? null]);
    const revisions = rows.toReversed().map((row) => ({
      id: row.id,
      kind: row.kind,
      authorId: row.authorId ?? undefined,
      change: this.changeOf(row, spaceId, space.organizationId),
    }));
    const { title, revision: head } = space;
    const steps = commitSteps(revisions, isSquashed);
    return (steps.length > 0 ? steps : [{ revision: head, changes: [], authorId: undefined }]).map(
      ({ revision, changes, authorId }) => ({
        revision,
        message: commitMessage({
          template,
          space: title,
          changes,
          revision,
          author: changes.at(-1)?.author?.email,
        }),
        ...(authorId !== undefined && { author: authorId }),
      }),
    );
  }

  /** The commit with all that people have changed in a change request since one of its revisions; its first one is its creator's. */
  async requestStep(
    spaceId: string,
    { changeRequestId, revision, head }: { changeRequestId: string; revision: string | null; head: string },
    template: string | null,
  ): Promise<ExportStep> {
    const found = await this.database.one<RequestRow>(REQUEST, [spaceId, changeRequestId, revision]);
    if (!found) throw notFound('Change request');
    const { number, subject, title, organizationId, creator } = found;
    const writers = revision === null || found.writers.length === 0 ? [creator, ...found.writers] : found.writers;
    const [author = creator, ...others] = writers;
    const facts = { number, subject, requestId: changeRequestId };
    return {
      author: author.id,
      message: commitMessage({
        template,
        space: title,
        changes: [
          ...others.map((other): CommittedChange => ({ author: other })),
          this.changeOf({ ...facts, name: author.name, email: author.email }, spaceId, organizationId),
        ],
        revision: head,
        author: author.email,
      }),
    };
  }

  private changeOf(
    { number, subject, requestId, name, email }: Pick<ChangeRow, 'number' | 'subject' | 'requestId' | 'name' | 'email'>,
    spaceId: string,
    organizationId: string,
  ): CommittedChange {
    return {
      ...(number !== null && { number, subject: subject ?? '' }),
      ...(requestId !== null && {
        address: this.addresses.app(`/o/${organizationId}/s/${spaceId}/changes/${number ?? ''}`),
      }),
      ...(name !== null && email !== null && { author: { name, email } }),
    };
  }
}
