import { Controller, Delete, Get, Param, Patch } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ByCaller, Can } from '../../../kernel/access/access.decorators.js';
import { Addresses } from '../../../kernel/common/addresses.js';
import type { Caller } from '../../../kernel/common/context.js';
import { Operation } from '../../../kernel/common/operation.js';
import { CustomHostnameBody, presentHostname } from './custom-hostnames.schema.js';
import { CustomHostnames } from './custom-hostnames.service.js';
import { HostnameTargets } from './hostname-targets.js';

/** The path names no site: the service finds the one that claims the hostname, and checks the rights on it. */
@ApiTags('Sites')
@Controller('custom-hostnames/:hostname')
export class CustomHostnamesController {
  constructor(
    private readonly hostnames: CustomHostnames,
    private readonly targets: HostnameTargets,
    private readonly addresses: Addresses,
  ) {}

  @Get()
  @Can('user:view')
  @Operation({
    id: 'getCustomHostname',
    summary: 'Get a hostname that a site claims',
    description: 'Visible to everyone who can see the site.',
    type: CustomHostnameBody,
  })
  async get(@ByCaller() caller: Caller, @Param('hostname') hostname: string) {
    return this.hostnames.get(caller, hostname).then((row) => presentHostname(row, this.targets, this.addresses));
  }

  @Patch()
  @Can('user:view')
  @Operation({
    id: 'dnsRevalidateCustomHostname',
    summary: 'Check the DNS records of a hostname again',
    description:
      'Requires the role admin on the site. The check begins at once in the background; a hostname that no longer leads here is not served until it does.',
    status: 204,
  })
  async revalidate(@ByCaller() caller: Caller, @Param('hostname') hostname: string) {
    return this.hostnames.revalidate(caller, hostname);
  }

  @Delete()
  @Can('user:view')
  @Operation({
    id: 'removeCustomHostname',
    summary: 'Remove a hostname from its site',
    description:
      'Requires the role admin on the site. The hostname is free for any site afterwards. One that no site of the caller claims is answered in the same way.',
    status: 204,
    alwaysThere: true,
  })
  async remove(@ByCaller() caller: Caller, @Param('hostname') hostname: string) {
    return this.hostnames.remove(caller, hostname);
  }
}
