import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ByCaller, Can, InOrganization, InSpace, LeavesOutHiddenPages } from '../../kernel/access/access.decorators.js';
import type { OrganizationAccess, SpaceAccess } from '../../kernel/access/access.service.js';
import type { Caller } from '../../kernel/common/context.js';
import { Operation } from '../../kernel/common/operation.js';
import { MergeRulesTestBody, TestOrganizationMergeRules, TestSpaceMergeRules } from './merge-rule-tests.schema.js';
import { MergeRuleTests } from './merge-rule-tests.service.js';

@ApiTags('Change requests')
@LeavesOutHiddenPages()
@Controller()
export class MergeRuleTestsController {
  constructor(private readonly tests: MergeRuleTests) {}

  @Post('spaces/:spaceId/merge-rules/test')
  @Can('space:admin')
  @Operation({
    id: 'testSpaceMergeRules',
    summary: 'Test merge rules of a space before they are saved',
    description:
      'On a change request of the space, on facts that are supposed, or on both: facts take the place of those of the change request. With the type `inherit` the rules of the organization are tested. Nothing is saved or merged.',
    type: MergeRulesTestBody,
  })
  async inSpace(@ByCaller() caller: Caller, @InSpace() space: SpaceAccess, @Body() body: TestSpaceMergeRules) {
    return this.tests.inSpace(caller, space, body);
  }

  @Post('orgs/:organizationId/merge-rules/test')
  @Can('organization:admin')
  @Operation({
    id: 'testOrganizationMergeRules',
    summary: 'Test merge rules of an organization before they are saved',
    description:
      'On facts that are supposed; rules are tested on a change request in its space. Nothing is saved or merged.',
    type: MergeRulesTestBody,
  })
  async inOrganization(
    @ByCaller() caller: Caller,
    @InOrganization() { id }: OrganizationAccess,
    @Body() body: TestOrganizationMergeRules,
  ) {
    return this.tests.inOrganization(caller, id, body);
  }
}
