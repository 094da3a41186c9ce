import { Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ByCaller, Can } from '../../kernel/access/access.decorators.js';
import type { Caller } from '../../kernel/common/context.js';
import { Operation } from '../../kernel/common/operation.js';
import { presentSubdomain, SubdomainBody } from './organizations.schema.js';
import { Organizations } from './organizations.service.js';

@ApiTags('Sites')
@Controller('subdomains')
export class SubdomainsController {
  constructor(private readonly organizations: Organizations) {}

  @Get(':subdomain')
  @Can('user:view')
  @Operation({
    id: 'getSubdomain',
    summary: 'Get the organization behind a subdomain',
    description: 'Seen by its members only.',
    type: SubdomainBody,
  })
  async get(@ByCaller() caller: Caller, @Param('subdomain') subdomain: string) {
    return this.organizations.subdomain(caller, subdomain).then(presentSubdomain);
  }
}
