import { Controller, Get, Param, UseFilters, UseInterceptors } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import SCIMMY from 'scimmy';
import { Can, InOrganization } from '../../kernel/access/access.decorators.js';
import type { OrganizationAccess } from '../../kernel/access/access.service.js';
import { Addresses } from '../../kernel/common/addresses.js';
import { notFound } from '../../kernel/common/errors.js';
import { presentScimList, scimLocation, type ScimPlace } from './present-scim.js';
import { ScimErrorsFilter } from './scim-errors.filter.js';
import { ScimMediaInterceptor } from './scim-media.interceptor.js';
import {
  MAX_COUNT,
  ScimDescriptionBody,
  ScimDescriptionsBody,
  ScimProviderBody,
  ScimOperation,
} from './scim.schema.js';

const USER_ATTRIBUTES = ['userName', 'name', 'displayName', 'emails', 'active', 'roles', 'groups'];

/** How SCIM is supported: RFC 7644, section 4. */
@ApiTags('Provisioning')
@Controller('orgs/:organizationId/scim/v2')
@UseFilters(ScimErrorsFilter)
@UseInterceptors(ScimMediaInterceptor)
export class ScimDescriptionsController {
  constructor(private readonly addresses: Addresses) {}

  @Get('ServiceProviderConfig')
  @Can('organization:manageMembers')
  @ScimOperation({
    id: 'getScimServiceProviderConfig',
    summary: 'Get what is supported of SCIM',
    type: ScimProviderBody,
  })
  provider(@InOrganization() { id }: OrganizationAccess): ScimProviderBody {
    return {
      schemas: [SCIMMY.Schemas.ServiceProviderConfig.id],
      patch: { supported: true },
      bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
      filter: { supported: true, maxResults: MAX_COUNT },
      changePassword: { supported: false },
      sort: { supported: false },
      etag: { supported: false },
      authenticationSchemes: [
        { type: 'oauthbearertoken', name: 'API token', description: 'The token of an administrator', primary: true },
      ],
      meta: {
        resourceType: 'ServiceProviderConfig',
        location: scimLocation(this.placeOf(id), 'ServiceProviderConfig'),
      },
    };
  }

  @Get('ResourceTypes')
  @Can('organization:manageMembers')
  @ScimOperation({
    id: 'listScimResourceTypes',
    summary: 'List the kinds of resources of SCIM',
    type: ScimDescriptionsBody,
  })
  resourceTypes(@InOrganization() { id }: OrganizationAccess) {
    return all(resourceTypes(this.placeOf(id)));
  }

  @Get('ResourceTypes/:resourceTypeId')
  @Can('organization:manageMembers')
  @ScimOperation({ id: 'getScimResourceType', summary: 'Get a kind of resources of SCIM', type: ScimDescriptionBody })
  resourceType(@InOrganization() { id }: OrganizationAccess, @Param('resourceTypeId') name: string) {
    return found(resourceTypes(this.placeOf(id)), name, 'Resource type');
  }

  @Get('Schemas')
  @Can('organization:manageMembers')
  @ScimOperation({ id: 'listScimSchemas', summary: 'List the schemas of SCIM', type: ScimDescriptionsBody })
  schemas(@InOrganization() { id }: OrganizationAccess) {
    return all(schemas(this.placeOf(id)));
  }

  @Get('Schemas/:schemaId')
  @Can('organization:manageMembers')
  @ScimOperation({ id: 'getScimSchema', summary: 'Get a schema of SCIM', type: ScimDescriptionBody })
  schema(@InOrganization() { id }: OrganizationAccess, @Param('schemaId') name: string) {
    return found(schemas(this.placeOf(id)), name, 'Schema');
  }

  private placeOf(organizationId: string): ScimPlace {
    return { organizationId, addresses: this.addresses };
  }
}

function resourceTypes(place: ScimPlace): ScimDescriptionBody[] {
  return [SCIMMY.Schemas.User, SCIMMY.Schemas.Group].map(({ id: schema, definition: { name, description } }) => ({
    schemas: [SCIMMY.Schemas.ResourceType.id],
    id: name,
    name,
    description,
    endpoint: `/${name}s`,
    schema,
    meta: { resourceType: 'ResourceType', location: scimLocation(place, `ResourceTypes/${name}`) },
  }));
}

/** The attributes that are kept: others are read and ignored. */
function schemas(place: ScimPlace): ScimDescriptionBody[] {
  return [SCIMMY.Schemas.User, SCIMMY.Schemas.Group].map(({ id, definition }) => {
    const { name, description, attributes } = definition.describe() as unknown as {
      name: string;
      description: string;
      attributes: { name: string }[];
    };
    const kept = name === 'User' ? attributes.filter((each) => USER_ATTRIBUTES.includes(each.name)) : attributes;
    const meta = { resourceType: 'Schema', location: scimLocation(place, `Schemas/${id}`) };
    return { schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'], id, name, description, attributes: kept, meta };
  });
}

function all(rows: readonly ScimDescriptionBody[]) {
  return presentScimList({ rows, total: rows.length, startIndex: 1 }, {}, (row) => row);
}

function found(rows: readonly ScimDescriptionBody[], id: string, what: string): ScimDescriptionBody {
  const row = rows.find((each) => each.id === id);
  if (!row) throw notFound(what);
  return row;
}
