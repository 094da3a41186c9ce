import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Can, InOrganization } from '../../kernel/access/access.decorators.js';
import type { OrganizationAccess } from '../../kernel/access/access.service.js';
import { Addresses } from '../../kernel/common/addresses.js';
import { Operation } from '../../kernel/common/operation.js';
import { Registry } from '../../kernel/platform/manifest/registry.js';
import { AuditEvents } from './audit-events.service.js';
import {
  AuditActionsBody,
  AuditEventBody,
  AuditEventsQuery,
  FormerMemberBody,
  FormerMembersQuery,
  presentAuditActions,
  presentAuditEvent,
  presentFormerMember,
} from './audit.schema.js';

@ApiTags('Audit log')
@Controller('orgs/:organizationId')
export class AuditController {
  constructor(
    private readonly events: AuditEvents,
    private readonly addresses: Addresses,
    private readonly registry: Registry,
  ) {}

  @Get('audit-events')
  @Can('organization:viewAuditEvents')
  @Operation({
    id: 'listOrganizationAuditEvents',
    summary: 'List who did what to which object',
    description: 'Latest first. Filters can be combined. `count` ends at 10,000.',
    type: AuditEventBody,
    list: true,
  })
  async list(@InOrganization() { id }: OrganizationAccess, @Query() query: AuditEventsQuery) {
    return this.events.list(id, query).then((page) => page.map((row) => presentAuditEvent(row, this.addresses)));
  }

  @Get('audit-events/:auditEventId')
  @Can('organization:viewAuditEvents')
  @Operation({ id: 'getOrganizationAuditEvent', summary: 'Get a line of the audit log', type: AuditEventBody })
  async get(@InOrganization() { id }: OrganizationAccess, @Param('auditEventId') auditEventId: string) {
    return this.events.get(id, auditEventId).then((row) => presentAuditEvent(row, this.addresses));
  }

  @Get('audit-event-actions')
  @Can('organization:viewAuditEvents')
  @Operation({
    id: 'listOrganizationAuditEventActions',
    summary: 'List the actions that the audit log tells',
    type: AuditActionsBody,
  })
  actions(@InOrganization() _: OrganizationAccess): AuditActionsBody {
    return presentAuditActions(this.registry);
  }

  @Get('audit-event-former-members')
  @Can('organization:viewAuditEvents')
  @Operation({
    id: 'listOrganizationAuditEventFormerMembers',
    summary: 'List the people in the audit log who are no members any more',
    description: 'Latest first, for the filters `actor` and `target` of the audit log.',
    type: FormerMemberBody,
    list: true,
  })
  async formerMembers(@InOrganization() { id }: OrganizationAccess, @Query() query: FormerMembersQuery) {
    return this.events.formerMembers(id, query).then((page) => page.map(presentFormerMember));
  }
}
