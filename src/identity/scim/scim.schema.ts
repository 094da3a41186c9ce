import { Amount, Flag, Free, Id, Nested, Text, Timestamp } from '../../kernel/common/fields.js';
import { ErrorResponse, Operation } from '../../kernel/common/operation.js';
import { TEAM_TITLE } from '../teams/teams.schema.js';
import { GROUP_SCHEMA, MAX_DISPLAY_NAME, USER_SCHEMA } from './user-attributes.js';

/** The most members that one request names, and that an answer lists of a group. */
export const MAX_GROUP_MEMBERS = 10_000;
const MAX_OPERATIONS = 1000;
const MAX_VALUES = 100;
export const MAX_COUNT = 100;

const SCHEMAS = { list: true, maxItems: 20, max: 200 } as const;

class ScimName {
  @Text({ optional: true, max: MAX_DISPLAY_NAME, example: 'Ada Lovelace' })
  formatted?: string;
  @Text({ optional: true, max: MAX_DISPLAY_NAME, example: 'Ada' })
  givenName?: string;
  @Text({ optional: true, max: MAX_DISPLAY_NAME, example: 'Lovelace' })
  familyName?: string;
}

class ScimFormattedName {
  @Text({ optional: true, example: 'Ada Lovelace' })
  formatted?: string;
}

class ScimValue {
  @Text({ max: 320, example: 'ada@example.com' })
  value: string;
  @Text({ optional: true, max: 100, example: 'work' })
  type?: string;
  @Flag({ optional: true })
  primary?: boolean;
}

class ScimRole {
  @Text({ max: 320, description: 'A role in the organization', example: 'edit' })
  value: string;
  @Flag({ optional: true })
  primary?: boolean;
}

class ScimMeta {
  @Text({ example: 'User' })
  resourceType: string;
  @Timestamp()
  created: string;
  @Text({ example: 'https://api.example.com/v1/orgs/AbCdEfGh0123456789Xy/scim/v2/Users/AbCdEfGh0123456789Xy' })
  location: string;
}

class ScimReference {
  @Id()
  value: string;
  @Text({ optional: true, example: 'Writers' })
  display?: string;
}

/** A user as identity providers send it; other attributes are ignored. */
export class ScimUserInput {
  @Text({ ...SCHEMAS, optional: true, example: [USER_SCHEMA] })
  schemas?: string[];
  @Text({
    min: 1,
    max: 320,
    description: 'The name by which the provider knows the person',
    example: 'ada@example.com',
  })
  userName: string;
  @Text({ optional: true, nullable: true, min: 1, max: 320, example: '00u1ab2cd3' })
  externalId?: string | null;
  @Nested(() => ScimName, { optional: true })
  name?: ScimName;
  @Text({ optional: true, max: MAX_DISPLAY_NAME, example: 'Ada Lovelace' })
  displayName?: string;
  @Nested(() => ScimValue, {
    optional: true,
    list: true,
    maxItems: MAX_VALUES,
    description: 'The primary one is the address of the account; without any it is `userName`',
    example: [{ value: 'ada@example.com', type: 'work', primary: true }],
  })
  emails?: ScimValue[];
  @Flag({ optional: true, description: 'Members who are not active keep their teams and grants, and open nothing' })
  active?: boolean;
  @Nested(() => ScimRole, {
    optional: true,
    list: true,
    maxItems: MAX_VALUES,
    description: 'Without one, new members get the role of the first identity provider of the organization, or `read`',
    example: [{ value: 'edit', primary: true }],
  })
  roles?: ScimRole[];
}

/** A member of the organization as SCIM describes it (RFC 7643), with the attributes that were asked for. */
export class ScimUserBody {
  @Text({ list: true, example: [USER_SCHEMA] })
  schemas: string[];
  @Id()
  id: string;
  @Text({ optional: true, example: '00u1ab2cd3' })
  externalId?: string;
  @Text({ optional: true, example: 'ada@example.com' })
  userName?: string;
  @Nested(() => ScimFormattedName, { optional: true })
  name?: ScimFormattedName;
  @Text({ optional: true, example: 'Ada Lovelace' })
  displayName?: string;
  @Nested(() => ScimValue, { optional: true, list: true })
  emails?: ScimValue[];
  @Flag({ optional: true })
  active?: boolean;
  @Nested(() => ScimRole, { optional: true, list: true, description: 'Empty for guests' })
  roles?: ScimRole[];
  @Nested(() => ScimReference, { optional: true, list: true, description: 'The teams of the member' })
  groups?: ScimReference[];
  @Nested(() => ScimMeta, { optional: true })
  meta?: ScimMeta;
}

export class ScimGroupInput {
  @Text({ ...SCHEMAS, optional: true, example: [GROUP_SCHEMA] })
  schemas?: string[];
  @Text({ ...TEAM_TITLE, example: 'Technical writers' })
  displayName: string;
  @Text({ optional: true, nullable: true, min: 1, max: 320, example: '00g1ab2cd3' })
  externalId?: string | null;
  @Nested(() => ScimReference, {
    optional: true,
    list: true,
    maxItems: MAX_GROUP_MEMBERS,
    example: [],
    description: 'Members of the organization, by id',
  })
  members?: ScimReference[];
}

/** A team of the organization as SCIM describes it (RFC 7643), with the attributes that were asked for. */
export class ScimGroupBody {
  @Text({ list: true, example: [GROUP_SCHEMA] })
  schemas: string[];
  @Id()
  id: string;
  @Text({ optional: true, example: '00g1ab2cd3' })
  externalId?: string;
  @Text({ optional: true, example: 'Writers' })
  displayName?: string;
  @Nested(() => ScimReference, { optional: true, list: true, maxItems: MAX_GROUP_MEMBERS })
  members?: ScimReference[];
  @Nested(() => ScimMeta, { optional: true })
  meta?: ScimMeta;
}

/** The operations of a PATCH (RFC 7644, section 3.5.2). */
function Operations(example: object): PropertyDecorator {
  return Free({
    list: true,
    maxItems: MAX_OPERATIONS,
    description: 'Each has `op` (`add`, `remove` or `replace`), and `path` and `value` as the standard says',
    example: [example],
  });
}

class ScimPatch {
  @Text({ ...SCHEMAS, optional: true, example: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'] })
  schemas?: string[];
}

export class ScimUserPatch extends ScimPatch {
  @Operations({ op: 'replace', path: 'active', value: false })
  Operations: object[];
}

export class ScimGroupPatch extends ScimPatch {
  @Operations({ op: 'replace', path: 'displayName', value: 'Writers' })
  Operations: object[];
}

export class ScimAttributesQuery {
  @Text({ optional: true, max: 1000, description: 'Only these attributes, separated by commas', example: 'userName' })
  attributes?: string;
  @Text({ optional: true, max: 1000, description: 'All attributes but these', example: 'members' })
  excludedAttributes?: string;
}

export class ScimListQuery extends ScimAttributesQuery {
  @Text({
    optional: true,
    max: 1000,
    description: 'Comparisons by `eq`, joined by `and`',
    example: 'userName eq "ada@example.com"',
  })
  filter?: string;
  @Amount({
    optional: true,
    query: true,
    max: 1_000_000,
    description: 'The first result, from 1; what is below counts as 1',
    example: 1,
  })
  startIndex?: number;
  @Amount({
    optional: true,
    query: true,
    description: `Results in a page, at most ${MAX_COUNT}; what is below 0 counts as 0`,
    example: 100,
  })
  count?: number;
}

class ScimList {
  @Text({ list: true, example: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'] })
  schemas: string[];
  @Amount({ min: 0, description: 'All results of the filter' })
  totalResults: number;
  @Amount({ min: 1 })
  startIndex: number;
  @Amount({ min: 0 })
  itemsPerPage: number;
}

export class ScimUsersBody extends ScimList {
  @Nested(() => ScimUserBody, { list: true })
  Resources: ScimUserBody[];
}

export class ScimGroupsBody extends ScimList {
  @Nested(() => ScimGroupBody, { list: true })
  Resources: ScimGroupBody[];
}

/** A schema, with `attributes`, or a kind of resources, with `endpoint` and `schema` (RFC 7643, sections 6 and 7). */
export class ScimDescriptionBody {
  @Text({ list: true, example: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'] })
  schemas: string[];
  @Text({ example: 'User' })
  id: string;
  @Text({ example: 'User' })
  name: string;
  @Text({ example: 'User Account' })
  description: string;
  @Text({ optional: true, description: 'Where resources of the kind are', example: '/Users' })
  endpoint?: string;
  @Text({ optional: true, description: 'The schema of resources of the kind', example: USER_SCHEMA })
  schema?: string;
  @Free({ optional: true, list: true, example: [{ name: 'userName', type: 'string', required: true }] })
  attributes?: object[];
  @Free({ example: { resourceType: 'ResourceType' } })
  meta: object;
}

export class ScimDescriptionsBody extends ScimList {
  @Free({ list: true, example: [{ id: USER_SCHEMA, name: 'User' }] })
  Resources: object[];
}

/** How SCIM is supported (RFC 7643, section 5). */
export class ScimProviderBody {
  @Text({ list: true, example: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'] })
  schemas: string[];
  @Free({ example: { supported: true } })
  patch: object;
  @Free({ example: { supported: false, maxOperations: 0, maxPayloadSize: 0 } })
  bulk: object;
  @Free({ example: { supported: true, maxResults: MAX_COUNT } })
  filter: object;
  @Free({ example: { supported: false } })
  changePassword: object;
  @Free({ example: { supported: false } })
  sort: object;
  @Free({ example: { supported: false } })
  etag: object;
  @Free({
    list: true,
    example: [{ type: 'oauthbearertoken', name: 'API token', description: 'The token of an administrator' }],
  })
  authenticationSchemes: object[];
  @Free({ example: { resourceType: 'ServiceProviderConfig' } })
  meta: object;
}

/** An error of RFC 7644, section 3.12, with the common shape of the API beside it. */
class ScimErrorBody extends ErrorResponse {
  @Text({ list: true, example: ['urn:ietf:params:scim:api:messages:2.0:Error'] })
  schemas: string[];
  @Text({ description: 'The HTTP status', example: '400' })
  status: string;
  @Text({ example: 'userName: must be a string' })
  detail: string;
  @Text({ optional: true, description: 'The kind of error', example: 'invalidValue' })
  scimType?: string;
}

/** Describes an operation of SCIM: its media type and its errors are those of the standard. */
export function ScimOperation(options: Parameters<typeof Operation>[0]): MethodDecorator {
  return Operation({ ...options, media: { type: 'application/scim+json', error: ScimErrorBody } });
}
