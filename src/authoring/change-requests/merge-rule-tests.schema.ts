import { Amount, Flag, Id, Nested, OneOf, Text } from '../../kernel/common/fields.js';
import { MergeRulesField } from '../../identity/organizations/merge-rules.field.js';
import type { MergeRules } from '../../identity/organizations/domain/merge-rules.js';
import { MergeCheck } from './merges.schema.js';

const STATUSES = ['draft', 'open', 'archived'] as const;
const REVIEWS = ['approved', 'changes-requested'] as const;
const EDIT_MODES = ['live', 'locked'] as const;
const MAX_REVIEWS = 50;

class SupposedReview {
  @Id({ description: 'A member of the organization' })
  reviewer: string;
  @OneOf(REVIEWS)
  status: (typeof REVIEWS)[number];
  @Flag({ optional: true, description: 'The content has changed since; false unless given' })
  outdated?: boolean;
  @Text({
    optional: true,
    min: 1,
    max: 100,
    description: 'The agent that reviewed for the reviewer',
    example: 'Linter',
  })
  agent?: string;
}

class SupposedSpace {
  @Text({ optional: true, max: 50, example: 'Guides' })
  title?: string;
  @OneOf(EDIT_MODES, { optional: true, example: 'locked' })
  editMode?: (typeof EDIT_MODES)[number];
}

/** Facts in the place of those of a change request, which need not exist. */
export class SupposedRequest {
  @Id({
    optional: true,
    description: 'Its author, a member of the organization; without a change request the caller unless given',
  })
  createdBy?: string;
  @OneOf(STATUSES, { optional: true, description: 'Without a change request `open` unless given' })
  status?: (typeof STATUSES)[number];
  @Text({ optional: true, max: 100, example: 'Explain the installation' })
  subject?: string;
  @Text({ optional: true, max: 10_000, description: 'Its description without formatting', example: 'For beginners.' })
  description?: string;
  @Flag({ optional: true, description: 'Primary has changed since its last update' })
  outdated?: boolean;
  @Nested(() => SupposedReview, {
    list: true,
    optional: true,
    maxItems: MAX_REVIEWS,
    description: 'The last review of each reviewer, oldest first',
  })
  reviews?: SupposedReview[];
  @Nested(() => SupposedSpace, {
    optional: true,
    description:
      'The space of the change request; its own title and mode unless given, or no title and `locked` for an organization',
  })
  space?: SupposedSpace;
}

export class TestOrganizationMergeRules {
  @MergeRulesField({ mayInherit: false, optional: false })
  mergeRules: MergeRules;
  @Id({ optional: true, description: 'The member who wants to merge; the caller unless given' })
  actor?: string;
  @Nested(() => SupposedRequest, { description: 'The change request to test the rules with' })
  facts: SupposedRequest;
}

export class TestSpaceMergeRules {
  @MergeRulesField({ mayInherit: true, optional: false })
  mergeRules: MergeRules;
  @Id({ optional: true, description: 'The member who wants to merge; the caller unless given' })
  actor?: string;
  @Text({
    optional: true,
    min: 1,
    max: 64,
    description: 'A change request, by its number or id',
    example: 'AbCdEfGh0123456789Xy',
  })
  changeRequest?: string;
  @Nested(() => SupposedRequest, {
    optional: true,
    description: 'Facts in the place of those of `changeRequest`, or without one',
  })
  facts?: SupposedRequest;
}

class TestedMergeRule extends MergeCheck {
  @Amount({ description: 'Its place in the list of rules', example: 0 })
  index: number;
}

export class MergeRulesTestBody {
  @Flag({ description: 'The rules would let the person merge; roles and conflicts are not looked at' })
  allowed: boolean;
  @Nested(() => TestedMergeRule, { list: true, description: 'Every rule but `allow_bypass`, in their order' })
  rules: TestedMergeRule[];
}
