import {
  Body,
  Controller,
  createParamDecorator,
  Delete,
  Get,
  Param,
  Patch,
  Post,
  Query,
  type ExecutionContext,
  type Type,
} from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ByCaller, Can, LeavesOutHiddenPages, type ResolvedRequest } from '../../kernel/access/access.decorators.js';
import { Addresses } from '../../kernel/common/addresses.js';
import type { Caller } from '../../kernel/common/context.js';
import { Operation } from '../../kernel/common/operation.js';
import { PageQuery } from '../../kernel/common/page-query.js';
import { Explanations } from './explanations.service.js';
import type { Granted, GrantKind } from './grant-tables.js';
import {
  AggregateQuery,
  EffectivePermissionBody,
  GrantRoles,
  PermissionExplanationBody,
  presentEffective,
  presentExplanation,
  presentTeamPermission,
  presentUserPermission,
  SitePermissionBody,
  TeamPermissionBody,
  UpdateGrant,
  UserPermissionBody,
} from './grants.schema.js';
import { Grants } from './grants.service.js';

const EFFECTIVE = { collection: UserPermissionBody, space: EffectivePermissionBody, site: SitePermissionBody } as const;
const HELD = 'Nobody gives, changes or takes a role above their own.';

/** The object that the path names. */
const On = createParamDecorator((kind: GrantKind, context: ExecutionContext): Granted => {
  const thing = context.switchToHttp().getRequest<ResolvedRequest>().access?.[kind];
  if (thing === undefined) throw new Error(`the path of ${context.getHandler().name} names no ${kind}`);
  return { kind, id: thing.id, organizationId: thing.organizationId };
});

/**
 * The grants on one kind of object. Guests neither see nor change them. The operations are the same for each kind, with
 * separate paths and names.
 */
// A class whose members are the operations: none of them is long.
// eslint-disable-next-line max-lines-per-function
function permissionsController(kind: GrantKind, name: 'Space' | 'Collection' | 'Site'): Type {
  @ApiTags(`${name}s`)
  @LeavesOutHiddenPages()
  @Controller(`${kind === 'site' ? 'orgs/:organizationId/' : ''}${kind}s/:${kind}Id/permissions`)
  class PermissionsController {
    constructor(
      private readonly grants: Grants,
      private readonly explanations: Explanations,
      private readonly addresses: Addresses,
    ) {}

    @Post()
    @Can(`${kind}:admin`)
    @Operation({
      id: `inviteTo${name}`,
      summary: `Give people and teams a role on a ${kind}`,
      description: HELD,
      status: 204,
    })
    async grant(@ByCaller() caller: Caller, @On(kind) on: Granted, @Body() body: GrantRoles) {
      return this.grants.grant(caller, on, body);
    }

    @Get('aggregate')
    @Can(`${kind}:view`)
    @Operation({
      id: `listPermissionsAggregateIn${name}`,
      summary: `List everybody who has access to a ${kind}`,
      description: 'With the role that results from grants, levels and memberships, and what custom roles add to it.',
      type: EFFECTIVE[kind],
      list: true,
    })
    async listEffective(@ByCaller() caller: Caller, @On(kind) on: Granted, @Query() query: AggregateQuery) {
      return this.grants
        .listEffective(caller, on, query)
        .then((page) => page.map((row) => presentEffective(row, on, this.addresses)));
    }

    @Get('users')
    @Can(`${kind}:view`)
    @Operation({
      id: `listUserPermissionsIn${name}`,
      summary: `List the people with a role of their own on a ${kind}`,
      type: UserPermissionBody,
      list: true,
    })
    async listUsers(@ByCaller() caller: Caller, @On(kind) on: Granted, @Query() query: PageQuery) {
      return this.grants
        .listUsers(caller, on, query)
        .then((page) => page.map((row) => presentUserPermission(row, this.addresses)));
    }

    @Get('users/:userId/explanation')
    @Can(`${kind}:view`)
    @Operation({
      id: `explainUserPermissionIn${name}`,
      summary: `Tell why a member has a role on a ${kind}`,
      description: 'All rules that give the member a role, and which of them decides.',
      type: PermissionExplanationBody,
    })
    async explain(@ByCaller() caller: Caller, @On(kind) on: Granted, @Param('userId') userId: string) {
      return presentExplanation(await this.explanations.explain(caller, on, userId), this.addresses);
    }

    @Patch('users/:userId')
    @Can(`${kind}:admin`)
    @Operation({
      id: `updateUserPermissionIn${name}`,
      summary: `Change a person's own role on a ${kind}`,
      description: HELD,
      status: 204,
    })
    async updateUser(
      @ByCaller() caller: Caller,
      @On(kind) on: Granted,
      @Param('userId') userId: string,
      @Body() body: UpdateGrant,
    ) {
      return this.grants.update(caller, on, 'user', userId, body);
    }

    @Delete('users/:userId')
    @Can(`${kind}:admin`)
    @Operation({
      id: `removeUserFrom${name}`,
      summary: `Take a person's own role on a ${kind}`,
      description: HELD,
      status: 204,
    })
    async removeUser(@ByCaller() caller: Caller, @On(kind) on: Granted, @Param('userId') userId: string) {
      return this.grants.remove(caller, on, 'user', userId);
    }

    @Get('teams')
    @Can(`${kind}:view`)
    @Operation({
      id: `listTeamPermissionsIn${name}`,
      summary: `List the teams with a role on a ${kind}`,
      type: TeamPermissionBody,
      list: true,
    })
    async listTeams(@ByCaller() caller: Caller, @On(kind) on: Granted, @Query() query: PageQuery) {
      return this.grants.listTeams(caller, on, query).then((page) => page.map(presentTeamPermission));
    }

    @Patch('teams/:teamId')
    @Can(`${kind}:admin`)
    @Operation({
      id: `updateTeamPermissionIn${name}`,
      summary: `Change the role of a team on a ${kind}`,
      description: HELD,
      status: 204,
    })
    async updateTeam(
      @ByCaller() caller: Caller,
      @On(kind) on: Granted,
      @Param('teamId') teamId: string,
      @Body() body: UpdateGrant,
    ) {
      return this.grants.update(caller, on, 'team', teamId, body);
    }

    @Delete('teams/:teamId')
    @Can(`${kind}:admin`)
    @Operation({
      id: `removeTeamFrom${name}`,
      summary: `Take the role of a team on a ${kind}`,
      description: HELD,
      status: 204,
    })
    async removeTeam(@ByCaller() caller: Caller, @On(kind) on: Granted, @Param('teamId') teamId: string) {
      return this.grants.remove(caller, on, 'team', teamId);
    }
  }
  return PermissionsController;
}

export const SpacePermissionsController = permissionsController('space', 'Space');
export const CollectionPermissionsController = permissionsController('collection', 'Collection');
export const SitePermissionsController = permissionsController('site', 'Site');
