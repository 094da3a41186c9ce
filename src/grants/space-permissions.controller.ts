import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ByCaller, Can, InSpace } from '../access/access.decorators.js';
import type { SpaceAccess } from '../access/access.service.js';
import { Addresses } from '../common/addresses.js';
import type { Caller } from '../common/context.js';
import { Operation } from '../common/operation.js';
import { PageQuery } from '../common/page-query.js';
import type { Granted } from './grant-tables.js';
import {
  AggregateQuery,
  GrantRoles,
  presentTeamPermission,
  presentUserPermission,
  TeamPermissionBody,
  UpdateGrant,
  UserPermissionBody,
} from './grants.schema.js';
import { Grants } from './grants.service.js';

const HELD = 'Nobody gives, changes or takes a role above their own.';

/** Who was given which role on a space. Guests see and change nothing of it. */
@ApiTags('Spaces')
@Controller('spaces/:spaceId/permissions')
export class SpacePermissionsController {
  constructor(
    private readonly grants: Grants,
    private readonly addresses: Addresses,
  ) {}

  @Post()
  @Can('space:admin')
  @Operation({ id: 'inviteToSpace', summary: 'Give people and teams a role on a space', description: HELD, status: 204 })
  async grant(@ByCaller() caller: Caller, @InSpace() space: SpaceAccess, @Body() body: GrantRoles) {
    return this.grants.grant(caller, on(space), body);
  }

  @Get('aggregate')
  @Can('space:view')
  @Operation({
    id: 'listPermissionsAggregateInSpace',
    summary: 'List everybody who has access to a space',
    description: 'With the role that results from grants, levels and memberships.',
    type: UserPermissionBody,
    list: true,
  })
  async listEffective(@ByCaller() caller: Caller, @InSpace() space: SpaceAccess, @Query() query: AggregateQuery) {
    return this.grants.listEffective(caller, on(space), query).then((page) => page.map((row) => presentUserPermission(row, this.addresses)));
  }

  @Get('users')
  @Can('space:view')
  @Operation({ id: 'listUserPermissionsInSpace', summary: 'List the people with a role of their own on a space', type: UserPermissionBody, list: true })
  async listUsers(@ByCaller() caller: Caller, @InSpace() space: SpaceAccess, @Query() query: PageQuery) {
    return this.grants.listUsers(caller, on(space), query).then((page) => page.map((row) => presentUserPermission(row, this.addresses)));
  }

  @Patch('users/:userId')
  @Can('space:admin')
  @Operation({ id: 'updateUserPermissionInSpace', summary: "Change a person's own role on a space", description: HELD, status: 204 })
  async updateUser(@ByCaller() caller: Caller, @InSpace() space: SpaceAccess, @Param('userId') userId: string, @Body() body: UpdateGrant) {
    return this.grants.update(caller, on(space), 'user', userId, body);
  }

  @Delete('users/:userId')
  @Can('space:admin')
  @Operation({ id: 'removeUserFromSpace', summary: "Take a person's own role on a space", description: HELD, status: 204 })
  async removeUser(@ByCaller() caller: Caller, @InSpace() space: SpaceAccess, @Param('userId') userId: string) {
    return this.grants.remove(caller, on(space), 'user', userId);
  }

  @Get('teams')
  @Can('space:view')
  @Operation({ id: 'listTeamPermissionsInSpace', summary: 'List the teams with a role on a space', type: TeamPermissionBody, list: true })
  async listTeams(@ByCaller() caller: Caller, @InSpace() space: SpaceAccess, @Query() query: PageQuery) {
    return this.grants.listTeams(caller, on(space), query).then((page) => page.map(presentTeamPermission));
  }

  @Patch('teams/:teamId')
  @Can('space:admin')
  @Operation({ id: 'updateTeamPermissionInSpace', summary: 'Change the role of a team on a space', description: HELD, status: 204 })
  async updateTeam(@ByCaller() caller: Caller, @InSpace() space: SpaceAccess, @Param('teamId') teamId: string, @Body() body: UpdateGrant) {
    return this.grants.update(caller, on(space), 'team', teamId, body);
  }

  @Delete('teams/:teamId')
  @Can('space:admin')
  @Operation({ id: 'removeTeamFromSpace', summary: 'Take the role of a team on a space', description: HELD, status: 204 })
  async removeTeam(@ByCaller() caller: Caller, @InSpace() space: SpaceAccess, @Param('teamId') teamId: string) {
    return this.grants.remove(caller, on(space), 'team', teamId);
  }
}

function on({ id, organizationId }: SpaceAccess): Granted {
  return { kind: 'space', id, organizationId };
}
