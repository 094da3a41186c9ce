import { Injectable } from '@nestjs/common';
import type { SpaceAccess } from '../../kernel/access/access.service.js';
import type { Caller } from '../../kernel/common/context.js';
import { Database } from '../../kernel/common/database.js';
import { invalid, notFound } from '../../kernel/common/errors.js';
import { withoutUndefined } from '../../formats/document/without-undefined.js';
import { hinders, type MergeRule } from '../../identity/organizations/domain/merge-rules.js';
import { Organizations } from '../../identity/organizations/organizations.service.js';
import { RULE_TITLES, standingReviews, type MergeFacts } from './domain/merge-checks.js';
import { MergeGate } from './merge-gate.js';
import type {
  MergeRulesTestBody,
  SupposedRequest,
  TestOrganizationMergeRules,
  TestSpaceMergeRules,
} from './merge-rule-tests.schema.js';

/** The id of a space, change request or review that is only supposed. */
const SUPPOSED = 'supposed';

interface Place {
  readonly id: string;
  readonly title: string;
  readonly editMode: string;
}

/** Tests merge rules that need not be saved, on a change request or on facts that are supposed; nothing is changed. */
@Injectable()
export class MergeRuleTests {
  constructor(
    private readonly database: Database,
    private readonly organizations: Organizations,
    private readonly gate: MergeGate,
  ) {}

  async inOrganization(
    { userId }: Caller,
    organizationId: string,
    { mergeRules, actor = userId, facts }: TestOrganizationMergeRules,
  ): Promise<MergeRulesTestBody> {
    await this.organizations.requireRules(organizationId, mergeRules, { mayInherit: false });
    const rules = mergeRules.type === 'rules' ? mergeRules.rules : [];
    const base = unwritten(actor, userId, { id: SUPPOSED, title: '', editMode: 'locked' });
    return this.test(rules, await this.supposed(organizationId, base, facts));
  }

  async inSpace(
    { userId }: Caller,
    { id: spaceId, organizationId }: SpaceAccess,
    { mergeRules, actor = userId, changeRequest, facts }: TestSpaceMergeRules,
  ): Promise<MergeRulesTestBody> {
    if (changeRequest === undefined && !facts) throw invalid('facts', 'give changeRequest, facts, or both');
    await this.organizations.requireRules(organizationId, mergeRules, { mayInherit: true });
    const space = await this.database.one<Place & { inherited: { rules?: readonly MergeRule[] } }>(
      `SELECT s.id, s.title, s.edit_mode AS "editMode", o.merge_rules AS inherited
         FROM space s JOIN organization o ON o.id = s.organization_id WHERE s.organization_id = $1 AND s.id = $2`,
      [organizationId, spaceId],
    );
    if (!space) throw notFound('Space');
    const { inherited, ...place } = space;
    const ofSpace = mergeRules.type === 'rules' ? mergeRules.rules : [];
    const rules = mergeRules.type === 'inherit' ? (inherited.rules ?? []) : ofSpace;
    const base =
      changeRequest === undefined
        ? unwritten(actor, userId, place)
        : await this.gate.factsOf(actor, spaceId, changeRequest);
    return this.test(rules, await this.supposed(organizationId, base, facts ?? {}));
  }

  private async test(rules: readonly MergeRule[], facts: MergeFacts): Promise<MergeRulesTestBody> {
    const outcomes = await this.gate.outcomes(rules, facts);
    return {
      allowed: !outcomes.some(hinders),
      rules: outcomes.map(({ index, rule, reason, bypassed }) => ({
        index,
        rule,
        title: RULE_TITLES[rule],
        fulfilled: reason === undefined,
        bypassed,
        ...(reason !== undefined && { reason }),
      })),
    };
  }

  /** Facts with others in their place. */
  private async supposed(
    organizationId: string,
    { actor, space, changeRequest, reviews }: MergeFacts,
    { createdBy, reviews: others, space: place, ...given }: SupposedRequest,
  ): Promise<MergeFacts> {
    const names = await this.membersAt(organizationId, [
      { path: 'actor', id: actor.id },
      ...(createdBy === undefined ? [] : [{ path: 'facts.createdBy', id: createdBy }]),
      ...(others ?? []).map(({ reviewer }, at) => ({ path: `facts.reviews.${at}.reviewer`, id: reviewer })),
    ]);
    return {
      actor,
      space: { ...space, ...withoutUndefined({ title: place?.title, editMode: place?.editMode }) },
      changeRequest: {
        ...changeRequest,
        ...withoutUndefined(given),
        ...(createdBy !== undefined && { createdBy: { id: createdBy } }),
      },
      reviews: others
        ? standingReviews(
            others.map(({ reviewer, agent = null, outdated = false, status }) => ({
              id: SUPPOSED,
              status,
              outdated,
              agent,
              reviewer: { id: reviewer, displayName: names.get(reviewer) ?? reviewer },
            })),
          )
        : reviews,
    };
  }

  /** The names of members, by their ids. Throws `invalid` with the path of the first who is none. */
  private async membersAt(
    organizationId: string,
    people: readonly Readonly<{ path: string; id: string }>[],
  ): Promise<ReadonlyMap<string, string>> {
    const rows = await this.database.query<{ id: string; name: string }>(
      'SELECT m.user_id AS id, a.display_name AS name FROM member m JOIN account a ON a.id = m.user_id WHERE m.organization_id = $1 AND m.user_id = ANY ($2)',
      [organizationId, [...new Set(people.map(({ id }) => id))]],
    );
    const names = new Map(rows.map(({ id, name }) => [id, name]));
    const missing = people.find(({ id }) => !names.has(id));
    if (missing) throw invalid(missing.path, 'is not a member of the organization');
    return names;
  }
}

/** The facts of a change request without anything in it. */
function unwritten(actor: string, createdBy: string, space: Place): MergeFacts {
  return {
    actor: { id: actor },
    space: { id: space.id, title: space.title, editMode: space.editMode },
    changeRequest: {
      id: SUPPOSED,
      number: 1,
      status: 'open',
      subject: '',
      description: '',
      outdated: false,
      createdBy: { id: createdBy },
    },
    reviews: [],
  };
}
