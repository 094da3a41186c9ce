import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ByCaller, Can, InCollection } from '../access/access.decorators.js';
import type { CollectionAccess } from '../access/access.service.js';
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

/** Who was given which role on a collection. Guests see and change nothing of it. */
@ApiTags('Collections')
@Controller('collections/:collectionId/permissions')
export class CollectionPermissionsController {
  constructor(
    private readonly grants: Grants,
    private readonly addresses: Addresses,
  ) {}

  @Post()
  @Can('collection:admin')
  @Operation({ id: 'inviteToCollection', summary: 'Give people and teams a role on a collection', description: HELD, status: 204 })
  async grant(@ByCaller() caller: Caller, @InCollection() collection: CollectionAccess, @Body() body: GrantRoles) {
    return this.grants.grant(caller, on(collection), body);
  }

  @Get('aggregate')
  @Can('collection:view')
  @Operation({
    id: 'listPermissionsAggregateInCollection',
    summary: 'List everybody who has access to a collection',
    description: 'With the role that results from grants, levels and memberships.',
    type: UserPermissionBody,
    list: true,
  })
  async listEffective(@ByCaller() caller: Caller, @InCollection() collection: CollectionAccess, @Query() query: AggregateQuery) {
    return this.grants.listEffective(caller, on(collection), query).then((page) => page.map((row) => presentUserPermission(row, this.addresses)));
  }

  @Get('users')
  @Can('collection:view')
  @Operation({ id: 'listUserPermissionsInCollection', summary: 'List the people with a role of their own on a collection', type: UserPermissionBody, list: true })
  async listUsers(@ByCaller() caller: Caller, @InCollection() collection: CollectionAccess, @Query() query: PageQuery) {
    return this.grants.listUsers(caller, on(collection), query).then((page) => page.map((row) => presentUserPermission(row, this.addresses)));
  }

  @Patch('users/:userId')
  @Can('collection:admin')
  @Operation({ id: 'updateUserPermissionInCollection', summary: "Change a person's own role on a collection", description: HELD, status: 204 })
  async updateUser(@ByCaller() caller: Caller, @InCollection() collection: CollectionAccess, @Param('userId') userId: string, @Body() body: UpdateGrant) {
    return this.grants.update(caller, on(collection), 'user', userId, body);
  }

  @Delete('users/:userId')
  @Can('collection:admin')
  @Operation({ id: 'removeUserFromCollection', summary: "Take a person's own role on a collection", description: HELD, status: 204 })
  async removeUser(@ByCaller() caller: Caller, @InCollection() collection: CollectionAccess, @Param('userId') userId: string) {
    return this.grants.remove(caller, on(collection), 'user', userId);
  }

  @Get('teams')
  @Can('collection:view')
  @Operation({ id: 'listTeamPermissionsInCollection', summary: 'List the teams with a role on a collection', type: TeamPermissionBody, list: true })
  async listTeams(@ByCaller() caller: Caller, @InCollection() collection: CollectionAccess, @Query() query: PageQuery) {
    return this.grants.listTeams(caller, on(collection), query).then((page) => page.map(presentTeamPermission));
  }

  @Patch('teams/:teamId')
  @Can('collection:admin')
  @Operation({ id: 'updateTeamPermissionInCollection', summary: 'Change the role of a team on a collection', description: HELD, status: 204 })
  async updateTeam(@ByCaller() caller: Caller, @InCollection() collection: CollectionAccess, @Param('teamId') teamId: string, @Body() body: UpdateGrant) {
    return this.grants.update(caller, on(collection), 'team', teamId, body);
  }

  @Delete('teams/:teamId')
  @Can('collection:admin')
  @Operation({ id: 'removeTeamFromCollection', summary: 'Take the role of a team on a collection', description: HELD, status: 204 })
  async removeTeam(@ByCaller() caller: Caller, @InCollection() collection: CollectionAccess, @Param('teamId') teamId: string) {
    return this.grants.remove(caller, on(collection), 'team', teamId);
  }
}

function on({ id, organizationId }: CollectionAccess): Granted {
  return { kind: 'collection', id, organizationId };
}
