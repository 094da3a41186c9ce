import { Injectable } from '@nestjs/common';
import { permission } from '../../kernel/access/permissions.js';
import type { Caller } from '../../kernel/common/context.js';
import { Database } from '../../kernel/common/database.js';
import { DomainError, notFound } from '../../kernel/common/errors.js';
import { normalizeDocument } from '../../formats/document/normalize-document.js';
import { deriveDocument } from '../../formats/document/derive.js';
import type { Document } from '../../formats/document/types.js';
import { ContentLines, type RequestHead } from '../content/content-lines.js';
import { hinders, type MergeRule, type Outcome } from '../../identity/organizations/domain/merge-rules.js';
import { checkRules, standingReviews, type MergeFacts, type MergeReview } from './domain/merge-checks.js';
import type { MergeChecksBody } from './merges.schema.js';

interface Row {
  readonly subject: string;
  readonly description: Document | null;
  readonly outdated: boolean;
  readonly title: string;
  readonly editMode: string;
  readonly reviews: readonly MergeReview[];
}

/** The change request $2 of the space $1, with the last review of each person who holds the role $3 there. */
const FACTS = `SELECT r.subject, r.description, r.status <> 'merged' AND r.base_sequence < s.sequence AS outdated, s.title, s.edit_mode AS "editMode",
    (SELECT coalesce(jsonb_agg(jsonb_build_object('id', v.id, 'status', v.status, 'outdated', v.sequence < r.written_sequence,
              'reviewer', jsonb_build_object('id', u.id, 'displayName', u.display_name)) ORDER BY v.created_at, v.id), '[]')
       FROM (SELECT DISTINCT ON (reviewer_id) * FROM change_request_review WHERE space_id = $1 AND change_request_id = $2
              ORDER BY reviewer_id, created_at DESC, id DESC) v
       JOIN account u ON u.id = v.reviewer_id AND NOT u.disabled
      CROSS JOIN LATERAL space_access(u.id, ARRAY[$1]::text[]) a
      WHERE a.role >= $3::access_level) AS reviews
  FROM change_request r JOIN space s ON s.id = r.space_id WHERE r.space_id = $1 AND r.id = $2`;

/** Asks the merge rules: in the transaction that merges, and for those who want to know before. */
@Injectable()
export class MergeGate {
  constructor(
    private readonly database: Database,
    private readonly lines: ContentLines,
  ) {}

  /**
   * Throws `forbidden`, naming the first rule in the way and whose it is, unless the merge rules let the caller merge. The rows of the space
   * and the change request must be locked, and the organization's held: what is found here then holds until the commit.
   */
  async requireAllowed(caller: Caller, request: RequestHead): Promise<void> {
    const { outcomes, inherited } = await this.check(caller, request);
    const first = outcomes.find(hinders);
    if (!first) return;
    const { index, rule, reason = '' } = first;
    const [whose, path] = inherited
      ? [' of the organization', 'organization.mergeRules.rules']
      : ['', 'mergeRules.rules'];
    throw new DomainError('forbidden', `The rule ${rule}${whose} is not fulfilled: ${reason}`, [
      { path: `${path}.${index}`, message: reason },
    ]);
  }

  /** What the rules would say if the caller merged a change request, by id or number, now. */
  async preview(caller: Caller, spaceId: string, idOrNumber: string): Promise<MergeChecksBody> {
    const { outcomes } = await this.check(caller, await this.lines.request(spaceId, idOrNumber));
    return {
      allowed: !outcomes.some(hinders),
      rules: outcomes.map(({ rule, reason, bypassed }) => ({
        rule,
        fulfilled: reason === undefined,
        bypassed,
        ...(reason !== undefined && { reason }),
      })),
    };
  }

  private async check(
    caller: Caller,
    request: RequestHead,
  ): Promise<{ readonly outcomes: readonly Outcome[]; readonly inherited: boolean }> {
    const { rules, inherited } = await this.lines.mergeRules(request.spaceId);
    const outcomes =
      rules.length === 0 ? [] : checkRules(rules, await this.facts(caller, request), await this.namesIn(rules));
    return { outcomes, inherited };
  }

  /** The names of the users whom rules list. */
  private async namesIn(rules: readonly MergeRule[]): Promise<Map<string, string>> {
    const users = rules.flatMap((rule) => ('users' in rule ? rule.users : []));
    const rows =
      users.length === 0
        ? []
        : await this.database.query<{ id: string; name: string }>(
            'SELECT id, display_name AS name FROM account WHERE id = ANY ($1)',
            [users],
          );
    return new Map(rows.map(({ id, name }) => [id, name]));
  }

  private async facts(caller: Caller, { id, spaceId, number, status, createdBy }: RequestHead): Promise<MergeFacts> {
    const row = await this.database.one<Row & Record<string, unknown>>(FACTS, [
      spaceId,
      id,
      permission('space:review').least,
    ]);
    if (!row) throw notFound('Change request');
    const { subject, description, outdated, title, editMode, reviews } = row;
    return {
      actor: { id: caller.userId },
      space: { id: spaceId, title, editMode },
      changeRequest: {
        id,
        number,
        status,
        subject,
        description: description ? deriveDocument(normalizeDocument(description)).text : '',
        outdated,
        createdBy: { id: createdBy },
      },
      reviews: standingReviews(reviews),
    };
  }
}
