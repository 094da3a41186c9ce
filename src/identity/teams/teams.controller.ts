import { Body, Controller, Delete, Get, Param, Patch, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ByCaller, Can, InOrganization } from '../../kernel/access/access.decorators.js';
import type { OrganizationAccess } from '../../kernel/access/access.service.js';
import { Addresses } from '../../kernel/common/addresses.js';
import type { Caller } from '../../kernel/common/context.js';
import { Operation } from '../../kernel/common/operation.js';
import { PageQuery } from '../../kernel/common/page-query.js';
import { TeamMembers } from './team-members.service.js';
import {
  CreateTeam,
  MemberTeamBody,
  presentMemberTeam,
  presentTeam,
  presentTeamMember,
  SetTeamMember,
  TeamBody,
  TeamMemberBody,
  TeamsQuery,
  TitledQuery,
  UpdateTeam,
  UpdateTeamMembers,
} from './teams.schema.js';
import { Teams } from './teams.service.js';

@ApiTags('Organizations, members, teams')
@Controller('orgs/:organizationId')
export class TeamsController {
  constructor(
    private readonly teams: Teams,
    private readonly members: TeamMembers,
    private readonly addresses: Addresses,
  ) {}

  @Get('teams')
  @Can('organization:listTeams')
  @Operation({
    id: 'listTeamsInOrganizationById',
    summary: 'List the teams of an organization',
    type: TeamBody,
    list: true,
  })
  async list(
    @ByCaller() { userId }: Caller,
    @InOrganization() organization: OrganizationAccess,
    @Query() query: TeamsQuery,
  ) {
    return this.teams.list(userId, organization, query).then((page) => page.map(presentTeam));
  }

  @Put('teams')
  @Can('organization:manageMembers')
  @Operation({ id: 'createOrganizationTeam', summary: 'Create a team', status: 201, type: TeamBody })
  async create(
    @ByCaller() { userId }: Caller,
    @InOrganization() organization: OrganizationAccess,
    @Body() body: CreateTeam,
  ) {
    return this.teams.create(userId, organization, body).then(presentTeam);
  }

  @Get('teams/:teamId')
  @Can('organization:listTeams')
  @Operation({ id: 'getTeamInOrganizationById', summary: 'Get a team', type: TeamBody })
  async get(
    @ByCaller() { userId }: Caller,
    @InOrganization() organization: OrganizationAccess,
    @Param('teamId') teamId: string,
  ) {
    return this.teams.get(userId, organization, teamId).then(presentTeam);
  }

  @Patch('teams/:teamId')
  @Can('organization:manageMembers')
  @Operation({
    id: 'updateTeamInOrganizationById',
    summary: 'Change the title of a team',
    type: TeamBody,
    errors: [412],
  })
  async update(
    @ByCaller() { userId }: Caller,
    @InOrganization() organization: OrganizationAccess,
    @Param('teamId') teamId: string,
    @Body() body: UpdateTeam,
  ) {
    return this.teams.update(userId, organization, teamId, body).then(presentTeam);
  }

  @Delete('teams/:teamId')
  @Can('organization:manageMembers')
  @Operation({
    id: 'removeTeamFromOrganizationById',
    summary: 'Delete a team with its grants',
    status: 204,
    errors: [412],
  })
  async remove(
    @ByCaller() { userId }: Caller,
    @InOrganization() { id }: OrganizationAccess,
    @Param('teamId') teamId: string,
  ) {
    return this.teams.remove(userId, id, teamId);
  }

  @Get('teams/:teamId/members')
  @Can('organization:listTeams')
  @Operation({
    id: 'listTeamMembersInOrganizationById',
    summary: 'List the members of a team',
    type: TeamMemberBody,
    list: true,
  })
  async listMembers(
    @ByCaller() { userId }: Caller,
    @InOrganization() organization: OrganizationAccess,
    @Param('teamId') teamId: string,
    @Query() query: PageQuery,
  ) {
    return this.members
      .list(userId, organization, teamId, query)
      .then((page) => page.map((row) => presentTeamMember(row, this.addresses)));
  }

  @Put('teams/:teamId/members')
  @Can('organization:ownTeam')
  @Operation({
    id: 'updateMembersInOrganizationTeam',
    summary: 'Add, change and remove members of a team at once',
    description:
      'For owners of the team and administrators of the organization. Users in `remove` are removed even if also added.',
    status: 204,
  })
  async updateMembers(
    @ByCaller() { userId }: Caller,
    @InOrganization() { id }: OrganizationAccess,
    @Param('teamId') teamId: string,
    @Body() body: UpdateTeamMembers,
  ) {
    return this.members.update(userId, id, teamId, body);
  }

  @Put('teams/:teamId/members/:userId')
  @Can('organization:ownTeam')
  @Operation({
    id: 'addMemberToOrganizationTeamById',
    summary: 'Add a member to a team, or change the role in it',
    description: 'For owners of the team and administrators of the organization.',
    status: 204,
  })
  async setMember(
    @ByCaller() caller: Caller,
    @InOrganization() { id }: OrganizationAccess,
    @Param('teamId') teamId: string,
    @Param('userId') userId: string,
    @Body() body: SetTeamMember,
  ) {
    return this.members.set(caller.userId, id, teamId, userId, body);
  }

  @Delete('teams/:teamId/members/:userId')
  @Can('organization:ownTeam')
  @Operation({
    id: 'deleteMemberFromOrganizationTeamById',
    summary: 'Remove a member from a team',
    description: 'For owners of the team and administrators of the organization.',
    status: 204,
  })
  async removeMember(
    @ByCaller() caller: Caller,
    @InOrganization() { id }: OrganizationAccess,
    @Param('teamId') teamId: string,
    @Param('userId') userId: string,
  ) {
    return this.members.remove(caller.userId, id, teamId, userId);
  }

  @Get('members/:userId/teams')
  @Can('organization:viewMember')
  @Operation({
    id: 'listTeamsForOrganizationMember',
    summary: 'List the teams of a member',
    description: 'Guests see their own only.',
    type: MemberTeamBody,
    list: true,
  })
  async listOfMember(
    @ByCaller() caller: Caller,
    @InOrganization() organization: OrganizationAccess,
    @Param('userId') userId: string,
    @Query() query: TitledQuery,
  ) {
    return this.teams
      .listOfMember(caller.userId, organization, userId, query)
      .then((page) => page.map(presentMemberTeam));
  }
}
