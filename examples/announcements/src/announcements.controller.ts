import { Body, Controller, Delete, Get, Param, Patch, Post, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ByCaller, Can, InOrganization, Operation, type Caller, type OrganizationAccess } from 'bindery/extension';
import {
  AnnouncementBody,
  AnnouncementSettingsBody,
  AnnouncementsQuery,
  CreateAnnouncement,
  presentAnnouncement,
  presentSettings,
  UpdateAnnouncement,
  UpdateAnnouncementSettings,
} from './announcements.schema.js';
import { Announcements } from './announcements.service.js';

@ApiTags('Announcements')
@Controller('orgs/:organizationId')
export class AnnouncementsController {
  constructor(private readonly announcements: Announcements) {}

  @Get('announcements')
  @Can('organization:viewAnnouncements')
  @Operation({
    id: 'listAnnouncements',
    summary: 'List the announcements of an organization, newest first',
    type: AnnouncementBody,
    list: true,
  })
  async list(@InOrganization() { id }: OrganizationAccess, @Query() query: AnnouncementsQuery) {
    return this.announcements.list(id, query).then((page) => page.map(presentAnnouncement));
  }

  @Post('announcements')
  @Can('organization:announce')
  @Operation({
    id: 'createAnnouncement',
    summary: 'Post an announcement',
    status: 201,
    type: AnnouncementBody,
    errors: [409],
  })
  async create(
    @ByCaller() { userId }: Caller,
    @InOrganization() { id }: OrganizationAccess,
    @Body() body: CreateAnnouncement,
  ) {
    return this.announcements.create(userId, id, body).then(presentAnnouncement);
  }

  @Get('announcements/:announcementId')
  @Can('organization:viewAnnouncements')
  @Operation({ id: 'getAnnouncement', summary: 'Get an announcement', type: AnnouncementBody })
  async get(@InOrganization() { id }: OrganizationAccess, @Param('announcementId') announcementId: string) {
    return this.announcements.get(id, announcementId).then(presentAnnouncement);
  }

  @Patch('announcements/:announcementId')
  @Can('organization:announce')
  @Operation({ id: 'updateAnnouncement', summary: 'Change an announcement', type: AnnouncementBody, errors: [412] })
  async update(
    @InOrganization() { id }: OrganizationAccess,
    @Param('announcementId') announcementId: string,
    @Body() body: UpdateAnnouncement,
  ) {
    return this.announcements.update(id, announcementId, body).then(presentAnnouncement);
  }

  @Delete('announcements/:announcementId')
  @Can('organization:announce')
  @Operation({ id: 'removeAnnouncement', summary: 'Remove an announcement', status: 204, errors: [412] })
  async remove(@InOrganization() { id }: OrganizationAccess, @Param('announcementId') announcementId: string) {
    return this.announcements.remove(id, announcementId);
  }

  @Get('announcement-settings')
  @Can('organization:manageAnnouncements')
  @Operation({
    id: 'getAnnouncementSettings',
    summary: 'Get the settings of announcements',
    type: AnnouncementSettingsBody,
  })
  async getSettings(@InOrganization() { id }: OrganizationAccess) {
    return this.announcements.settings(id).then(presentSettings);
  }

  @Put('announcement-settings')
  @Can('organization:manageAnnouncements')
  @Operation({
    id: 'updateAnnouncementSettings',
    summary: 'Change the settings of announcements',
    type: AnnouncementSettingsBody,
  })
  async updateSettings(@InOrganization() { id }: OrganizationAccess, @Body() body: UpdateAnnouncementSettings) {
    return this.announcements.updateSettings(id, body).then(presentSettings);
  }
}
