import { Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ByCaller, Can, InOrganization } from '../../kernel/access/access.decorators.js';
import type { OrganizationAccess } from '../../kernel/access/access.service.js';
import type { Caller } from '../../kernel/common/context.js';
import { Operation } from '../../kernel/common/operation.js';
import { ShowsSecret } from '../../kernel/platform/idempotency.interceptor.js';
import { PingBody } from './ping.schema.js';
import { Previews } from './previews.service.js';

@ApiTags('Organizations, members, teams')
@Controller('orgs/:organizationId/ping')
export class PingController {
  constructor(private readonly previews: Previews) {}

  @Post()
  @Can('organization:view')
  @ShowsSecret()
  @Operation({
    id: 'updateOrganizationMemberLastSeenAt',
    summary: 'Note that the caller is active in an organization',
    description:
      'Gives a token that lets the caller into the published sites of the organization for an hour, to see there what they may read in any case.',
    type: PingBody,
  })
  async ping(@ByCaller() caller: Caller, @InOrganization() { id }: OrganizationAccess) {
    return this.previews
      .ofActiveMember(caller, id)
      .then((token): PingBody => (token === undefined ? {} : { serviceVisitorClaims: token }));
  }
}
