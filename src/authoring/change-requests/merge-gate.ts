import { Injectable } from '@nestjs/common';
import { Access } from '../../kernel/access/access.service.js';
import { permission, type PermissionKey } from '../../kernel/access/permissions.js';
import type { Caller } from '../../kernel/common/context.js';
import { Database } from '../../kernel/common/database.js';
import { DomainError, notFound } from '../../kernel/common/errors.js';
import { Registry } from '../../kernel/platform/manifest/registry.js';
import { normalizeDocument } from '../../formats/document/normalize-document.js';
import { deriveDocument } from '../../formats/document/derive.js';
import type { Document } from '../../formats/document/types.js';
import { ContentLines, type PrimaryHead } from '../content/content-lines.js';
import type { RequestHead } from '../content/request-lines.js';
import { hinders, type MergeRule, type Outcome } from '../../identity/organizations/domain/merge-rules.js';
import { Spaces } from '../../workspace/spaces/spaces.service.js';
import { COUNTED_REVIEWS } from './change-requests.points.js';
import { checkRules, RULE_TITLES, standingReviews, type MergeFacts, type MergeReview } from './domain/merge-checks.js';
import type { MergeChecksBody } from './merges.schema.js';

interface Row {
  readonly subject: string;
  readonly description: Document | null;
  readonly outdated: boolean;
  readonly title: string;
  readonly editMode: string;
  readonly reviews: readonly MergeReview[];
}

/** The rules that are in force for the merges into a space. */
type RulesInForce = Awaited<ReturnType<ContentLines['mergeRules']>>;

/** A space whose primary line nobody else moves. */
export interface LockedSpace {
  readonly head: PrimaryHead;
  /** The pages that are hidden from the caller. */
  readonly hiddenPages: readonly string[];
  readonly rules: RulesInForce;
}

/** Checks the merge rules: in the transaction that merges, and for previews. */
@Injectable()
export class MergeGate {
  /** For the change request $2 of the space $1; $3 is the role of people whose reviews count. */
  private readonly factsOfRequest: string;

  constructor(
    private readonly database: Database,
    private readonly access: Access,
    private readonly spaces: Spaces,
    private readonly lines: ContentLines,
    registry: Registry,
  ) {
    const reviews = registry.contributionsTo(COUNTED_REVIEWS).map((counted) => counted('$3::access_level'));
    this.factsOfRequest = `SELECT r.subject, r.description, r.status <> 'merged' AND r.base_sequence < s.sequence AS outdated, s.title,
        s.edit_mode AS "editMode", ${["'[]'::jsonb", ...reviews].join(' || ')} AS reviews
      FROM change_request r JOIN space s ON s.id = r.space_id WHERE r.space_id = $1 AND r.id = $2`;
  }

  /**
   * Locks the primary line until the transaction ends; until then the caller stays a member, and the merge rules stay as
   * they are. Throws `notFound`, and `forbidden` where the caller may not merge into the space.
   */
  async lockPrimary(caller: Caller, spaceId: string, needed: PermissionKey = 'space:merge'): Promise<LockedSpace> {
    const [head, { hiddenPages }, rules] = await Promise.all([
      this.lines.lockPrimaryIn(this.spaces.holdMembership(caller, spaceId), spaceId),
      this.access.requireSpace(caller, spaceId, needed),
      this.lines.mergeRules(spaceId),
    ]);
    return { head, hiddenPages, rules };
  }

  /**
   * Throws `forbidden`, naming the first rule in the way and whose it is, unless the merge rules let the caller merge. The rows of the space
   * and the change request must be locked, and the organization's held: what is found here then holds until the commit.
   */
  async requireAllowed(caller: Caller, request: RequestHead, { rules }: LockedSpace): Promise<void> {
    const { outcomes, inherited } = await this.check(caller, request, rules);
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

  /** The result of the rules if the caller merged a change request, by id or number, now. */
  async preview(caller: Caller, spaceId: string, idOrNumber: string): Promise<MergeChecksBody> {
    const request = await this.lines.request(spaceId, idOrNumber);
    const { outcomes } = await this.check(caller, request, await this.lines.mergeRules(spaceId));
    return {
      allowed: !outcomes.some(hinders),
      rules: outcomes.map(({ rule, reason, bypassed }) => ({
        rule,
        title: RULE_TITLES[rule],
        fulfilled: reason === undefined,
        bypassed,
        ...(reason !== undefined && { reason }),
      })),
    };
  }

  private async check(
    caller: Caller,
    request: RequestHead,
    { rules, inherited }: RulesInForce,
  ): Promise<{ readonly outcomes: readonly Outcome[]; readonly inherited: boolean }> {
    const outcomes = rules.length === 0 ? [] : await this.outcomes(rules, await this.facts(caller.userId, request));
    return { outcomes, inherited };
  }

  /** The results of rules for facts, in their order. */
  async outcomes(rules: readonly MergeRule[], facts: MergeFacts): Promise<readonly Outcome[]> {
    return checkRules(rules, facts, await this.namesIn(rules));
  }

  /** The facts of a merge of a change request, by id or number, by a person. */
  async factsOf(actorId: string, spaceId: string, idOrNumber: string): Promise<MergeFacts> {
    return this.facts(actorId, await this.lines.request(spaceId, idOrNumber));
  }

  /** The names of the users in rules. */
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

  private async facts(actorId: string, { id, spaceId, number, status, createdBy }: RequestHead): Promise<MergeFacts> {
    const row = await this.database.one<Row & Record<string, unknown>>(this.factsOfRequest, [
      spaceId,
      id,
      permission('space:review').least,
    ]);
    if (!row) throw notFound('Change request');
    const { subject, description, outdated, title, editMode, reviews } = row;
    return {
      actor: { id: actorId },
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
