import { Body, Controller, Delete, Get, Param, Patch, Post, Put, Query, Res } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Can, ForReaders, InOrganization } from '../../kernel/access/access.decorators.js';
import type { OrganizationAccess } from '../../kernel/access/access.service.js';
import { Addresses } from '../../kernel/common/addresses.js';
import { Operation } from '../../kernel/common/operation.js';
import { PageQuery } from '../../kernel/common/page-query.js';
import { FileUrls } from '../../kernel/platform/storage/file-urls.js';
import {
  CreateOpenApiSpec,
  OpenApiContentBody,
  OpenApiRawBody,
  OpenApiSpecBody,
  OpenApiVersionBody,
  presentSpec,
  presentVersion,
  ReplaceOpenApiSpec,
  UpdateOpenApiSpec,
} from './openapi.schema.js';
import { OpenApiSpecs } from './specs.service.js';
import { OpenApiChanges } from './changes.service.js';
import { OpenApiChangeBody, OpenApiChangeQuery, presentChange } from './openapi-changes.schema.js';
import { OpenApiVersions } from './versions.service.js';

@ApiTags('OpenAPI specifications')
@Controller('orgs/:organizationId/openapi')
export class OpenApiController {
  constructor(
    private readonly specs: OpenApiSpecs,
    private readonly versions: OpenApiVersions,
    private readonly changes: OpenApiChanges,
    private readonly addresses: Addresses,
    private readonly files: FileUrls,
  ) {}

  @Get()
  @Can('organization:viewOpenAPISpecs')
  @Operation({
    id: 'listOpenAPISpecs',
    summary: 'List the OpenAPI specifications of an organization',
    type: OpenApiSpecBody,
    list: true,
  })
  async list(@InOrganization() organization: OrganizationAccess, @Query() query: PageQuery) {
    return this.specs
      .list(organization.id, query)
      .then((page) => page.map((row) => presentSpec(row, organization, this.addresses)));
  }

  @Post()
  @Can('organization:createOpenAPISpec')
  @Operation({
    id: 'createOpenAPISpec',
    summary: 'Register an OpenAPI specification',
    description:
      'It is fetched and read in the background: `processingState` gives its progress. An organization has 1,000 specifications at most.',
    status: 201,
    type: OpenApiSpecBody,
    errors: [409],
  })
  async create(@InOrganization() organization: OrganizationAccess, @Body() { slug, source }: CreateOpenApiSpec) {
    return this.specs
      .create(organization.id, slug, source)
      .then((row) => presentSpec(row, organization, this.addresses));
  }

  @Get(':specSlug')
  @Can('organization:viewOpenAPISpecs')
  @Operation({ id: 'getOpenAPISpecBySlug', summary: 'Get an OpenAPI specification', type: OpenApiSpecBody })
  async get(@InOrganization() organization: OrganizationAccess, @Param('specSlug') slug: string) {
    return this.specs.get(organization.id, slug).then((row) => presentSpec(row, organization, this.addresses));
  }

  @Put(':specSlug')
  @Can('organization:createOpenAPISpec')
  @ApiResponse({ status: 201, description: 'The specification was not there and has been made', type: OpenApiSpecBody })
  @Operation({
    id: 'createOrUpdateOpenAPISpecBySlug',
    summary: 'Give an OpenAPI specification its source, or register it',
    description: 'The source is processed anew even where it is the same, so that this fetches an address now.',
    type: OpenApiSpecBody,
    errors: [409, 412],
  })
  async replace(
    @InOrganization() organization: OrganizationAccess,
    @Param('specSlug') slug: string,
    @Body() { source }: ReplaceOpenApiSpec,
    @Res({ passthrough: true }) response: Response,
  ) {
    return this.specs.replace(organization.id, slug, source).then(({ row, isNew }) => {
      response.status(isNew ? 201 : 200);
      return presentSpec(row, organization, this.addresses);
    });
  }

  @Patch(':specSlug')
  @Can('organization:createOpenAPISpec')
  @Operation({
    id: 'updateOpenAPISpecBySlug',
    summary: 'Let everybody read an OpenAPI specification, or members only',
    type: OpenApiSpecBody,
    errors: [412],
  })
  async update(
    @InOrganization() organization: OrganizationAccess,
    @Param('specSlug') slug: string,
    @Body() { visibility }: UpdateOpenApiSpec,
  ) {
    return this.specs
      .update(organization.id, slug, visibility)
      .then((row) => presentSpec(row, organization, this.addresses));
  }

  @Delete(':specSlug')
  @Can('organization:createOpenAPISpec')
  @Operation({
    id: 'deleteOpenAPISpecBySlug',
    summary: 'Delete an OpenAPI specification with its versions',
    status: 204,
    errors: [412],
  })
  async remove(@InOrganization() { id }: OrganizationAccess, @Param('specSlug') slug: string) {
    return this.specs.remove(id, slug);
  }

  @Get(':specSlug/versions')
  @Can('organization:viewOpenAPISpecs')
  @Operation({
    id: 'listOpenAPISpecVersions',
    summary: 'List the versions of an OpenAPI specification',
    description: 'The latest 100 are kept.',
    type: OpenApiVersionBody,
    list: true,
  })
  async listVersions(
    @InOrganization() { id }: OrganizationAccess,
    @Param('specSlug') slug: string,
    @Query() query: PageQuery,
  ) {
    return this.versions
      .list(id, slug, query)
      .then((page) => page.map((row) => presentVersion(row, this.files, this.addresses)));
  }

  @Get(':specSlug/versions/latest')
  @Can('organization:viewOpenAPISpecs')
  @ForReaders({ kind: 'openapi', parameter: 'specSlug' })
  @Operation({
    id: 'getLatestOpenAPISpecVersion',
    summary: 'Get the latest version of an OpenAPI specification',
    type: OpenApiVersionBody,
  })
  async latest(@InOrganization() { id }: OrganizationAccess, @Param('specSlug') slug: string) {
    return this.versions.get(id, slug).then((row) => presentVersion(row, this.files, this.addresses));
  }

  @Get(':specSlug/versions/latest/content')
  @Can('organization:viewOpenAPISpecs')
  @ForReaders({ kind: 'openapi', parameter: 'specSlug' })
  @Operation({
    id: 'getLatestOpenAPISpecVersionContent',
    summary: 'Get what the latest version of an OpenAPI specification says',
    type: OpenApiContentBody,
  })
  async latestContent(@InOrganization() { id }: OrganizationAccess, @Param('specSlug') slug: string) {
    return this.versions.content(id, slug);
  }

  @Get(':specSlug/versions/latest/content/raw')
  @Can('organization:viewOpenAPISpecs')
  @ForReaders({ kind: 'openapi', parameter: 'specSlug' })
  @Operation({
    id: 'getLatestOpenAPISpecVersionContentRaw',
    summary: 'Get the text of the latest version of an OpenAPI specification',
    description: 'OpenAPI 3 as JSON; other documents that the source refers to are included.',
    type: OpenApiRawBody,
  })
  async latestRaw(@InOrganization() { id }: OrganizationAccess, @Param('specSlug') slug: string) {
    return this.versions.raw(id, slug);
  }

  @Get(':specSlug/versions/:versionId')
  @Can('organization:viewOpenAPISpecs')
  @Operation({
    id: 'getOpenAPISpecVersionById',
    summary: 'Get a version of an OpenAPI specification',
    type: OpenApiVersionBody,
  })
  async version(
    @InOrganization() { id }: OrganizationAccess,
    @Param('specSlug') slug: string,
    @Param('versionId') versionId: string,
  ) {
    return this.versions.get(id, slug, versionId).then((row) => presentVersion(row, this.files, this.addresses));
  }

  @Get(':specSlug/versions/:versionId/content')
  @Can('organization:viewOpenAPISpecs')
  @Operation({
    id: 'getOpenAPISpecVersionContentById',
    summary: 'Get what a version of an OpenAPI specification says',
    type: OpenApiContentBody,
  })
  async versionContent(
    @InOrganization() { id }: OrganizationAccess,
    @Param('specSlug') slug: string,
    @Param('versionId') versionId: string,
  ) {
    return this.versions.content(id, slug, versionId);
  }

  @Get(':specSlug/versions/:versionId/changes')
  @Can('organization:viewOpenAPISpecs')
  @Operation({
    id: 'listOpenAPISpecVersionChanges',
    summary: 'List what a version of an OpenAPI specification changed',
    description:
      'The changes against the version before it, the most harmful ones first. 5,000 are kept; `changes` of the version counts all. A change of a schema that operations share is listed once.',
    type: OpenApiChangeBody,
    list: true,
  })
  async listChanges(
    @InOrganization() { id }: OrganizationAccess,
    @Param('specSlug') slug: string,
    @Param('versionId') versionId: string,
    @Query() query: OpenApiChangeQuery,
  ) {
    return this.changes.list(id, slug, versionId, query).then((page) => page.map(presentChange));
  }
}
