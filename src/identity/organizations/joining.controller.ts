import { Controller, Get, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ByCaller, Can } from '../../kernel/access/access.decorators.js';
import { Addresses } from '../../kernel/common/addresses.js';
import type { Caller } from '../../kernel/common/context.js';
import { Operation } from '../../kernel/common/operation.js';
import { JoinableOrganizationsBody, presentJoinable, presentOrganization } from './organizations.schema.js';
import { Organizations } from './organizations.service.js';

/** Operations for joining organizations that the caller is not a member of. */
@ApiTags('Organizations, members, teams')
@Controller()
export class JoiningController {
  constructor(
    private readonly organizations: Organizations,
    private readonly addresses: Addresses,
  ) {}

  @Post('orgs/:organizationId/join')
  @Can('user:join')
  @Operation({
    id: 'joinOrganization',
    summary: 'Join an organization by e-mail domain',
    description:
      'Takes a verified e-mail address of a domain that the organization admits (400 otherwise), and gives its default role.',
    status: 204,
  })
  async join(@ByCaller() caller: Caller, @Param('organizationId') organizationId: string) {
    return this.organizations.join(caller, organizationId);
  }

  @Get('email-domains/:emailDomain/orgs')
  @Can('user:view')
  @Operation({
    id: 'getOrganizationsForEmailDomain',
    summary: 'Find the organizations that admit an e-mail domain',
    description: "Answers for the domain of the caller's own verified address; for others the list is empty.",
    type: JoinableOrganizationsBody,
    alwaysThere: true,
  })
  async joinable(@ByCaller() caller: Caller, @Param('emailDomain') emailDomain: string) {
    return this.organizations.joinable(caller, emailDomain.toLowerCase()).then((found) => ({
      organizations: found.map(({ organization, member }) =>
        member
          ? presentOrganization(member, this.addresses)
          : presentJoinable(organization, emailDomain.toLowerCase(), this.addresses),
      ),
    }));
  }
}
