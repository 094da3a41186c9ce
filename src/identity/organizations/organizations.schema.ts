import {
  allows,
  permissionFlags,
  roleAlone,
  rightsOn,
  type AsSeen,
  type Rights,
} from '../../kernel/access/permissions.js';
import { presentRole, ROLES, type Role } from '../../kernel/common/roles.js';
import type { Addresses } from '../../kernel/common/addresses.js';
import { Amount, Flag, Id, Nested, ObjectName, OneOf, Text, Timestamp, Url } from '../../kernel/common/fields.js';
import { versioned } from '../../kernel/common/versioned.js';
import { readMergeRules, type MergeRules } from './domain/merge-rules.js';
import { MergeRulesField } from './merge-rules.field.js';
import type { Organization } from './organization.entity.js';

export const ORGANIZATION_TYPES = ['business', 'community'] as const;
export const USE_CASES = [
  'internalDocs',
  'docsSite',
  'audienceControlledSite',
  'productDocs',
  'teamKnowledgeBase',
  'designSystem',
  'openSourceDocs',
  'notes',
  'other',
] as const;
export const COMMUNITY_TYPES = ['nonProfit', 'openSource', 'education'] as const;

class OrganizationUrls {
  @Url()
  location: string;
  @Url()
  app: string;
  @Url({ optional: true })
  logo?: string;
}

class DefaultContent {
  @OneOf(['site'])
  type: 'site';
  @Id()
  site: string;
}

class Trial {
  @OneOf(['notapplicable', 'none', 'active', 'ended', 'expired'])
  status: string;
  @Amount({ min: 0, example: 0 })
  count: number;
}

class OrganizationPermissions {
  @Flag() view: boolean;
  @Flag({ description: 'The same as `view`: who may view an organization may open it in the application' })
  access: boolean;
  @Flag() admin: boolean;
  @Flag() ownTeam: boolean;
  @Flag() createContent: boolean;
  @Flag() createOpenAPISpec: boolean;
  @Flag() ingestConversations: boolean;
  @Flag() viewConversations: boolean;
  @Flag() reviewConversations: boolean;
  @Flag({ example: false }) viewBilling: boolean;
  @Flag() listMembers: boolean;
  @Flag() listTeams: boolean;
  @Flag({ example: false }) listIntegrations: boolean;
  @Flag({ example: false }) listInstallations: boolean;
  @Flag({ example: false }) installIntegration: boolean;
}

export class OrganizationBody {
  @ObjectName('organization')
  object: 'organization';
  @Id()
  id: string;
  @Text({ example: 'Acme' })
  title: string;
  @Timestamp()
  createdAt: string;
  @Text({ list: true, example: ['acme.com'] })
  emailDomains: string[];
  @Text({
    optional: true,
    example: 'acme-docs',
    description: 'Name below the host of published sites, where the default site is at the root',
  })
  hostname?: string;
  @OneOf(ORGANIZATION_TYPES)
  type: string;
  @OneOf(USE_CASES, { optional: true })
  useCase?: string;
  @OneOf(COMMUNITY_TYPES, { optional: true })
  communityType?: string;
  @OneOf(ROLES, { nullable: true, description: 'Role of people who join by their e-mail domain; null makes guests' })
  defaultRole: Role | null;
  @Nested(() => DefaultContent, { optional: true })
  defaultContent?: DefaultContent;
  @Flag({ example: false })
  sso: boolean;
  @Flag({ example: false })
  ai: boolean;
  @Flag()
  inviteLinks: boolean;
  @Text({ description: 'Always `internal`: a self-hosted installation has no billing plans', example: 'internal' })
  plan: string;
  @MergeRulesField({ mayInherit: false, optional: false })
  mergeRules: MergeRules;
  @Nested(() => OrganizationUrls)
  urls: OrganizationUrls;
  @Nested(() => Trial)
  trial: Trial;
  @Nested(() => OrganizationPermissions)
  permissions: OrganizationPermissions;
}

/** Names below the host of published sites. */
export const HOSTNAME = /^[a-z0-9][a-z0-9-]{1,30}[a-z0-9]$/;
const TITLE = { min: 2, max: 255, pattern: /\S.*\S/, example: 'Acme' } as const;
const EMAIL_DOMAINS = {
  list: true,
  maxItems: 100,
  max: 253,
  pattern: /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/,
  example: ['acme.com'],
} as const;

export class CreateOrganization {
  @Text(TITLE)
  title: string;
  @Text({ ...EMAIL_DOMAINS, optional: true })
  emailDomains?: string[];
}

export class UpdateOrganization {
  @Text({ ...TITLE, optional: true })
  title?: string;
  @Text({
    ...EMAIL_DOMAINS,
    optional: true,
    description: 'People with a verified address of one of these domains may join',
  })
  emailDomains?: string[];
  @Text({
    optional: true,
    min: 3,
    max: 32,
    pattern: HOSTNAME,
    example: 'acme-docs',
    description:
      'Name below the host of published sites, as in acme-docs.docs.example.com, where the default site is at the root',
  })
  hostname?: string;
  @OneOf(ROLES, {
    optional: true,
    nullable: true,
    description: 'Role of people who join by their e-mail domain; null makes guests',
  })
  defaultRole?: Role | null;
  @Nested(() => DefaultContent, {
    optional: true,
    nullable: true,
    description: 'A site of this organization, which is at the root of its `hostname` and needs one; null for none',
  })
  defaultContent?: DefaultContent | null;
  @Url({ optional: true, nullable: true, description: 'Null removes it', example: 'https://example.com/logo.png' })
  logo?: string | null;
  @Flag({
    optional: true,
    example: false,
    description:
      'True refuses tokens of members that do not come from single sign-on, except those of administrators; it needs an active identity provider',
  })
  sso?: boolean;
  @Flag({
    optional: true,
    example: false,
    description: 'True allows the language model of the operator to write answers; without it answers are passages',
  })
  ai?: boolean;
  @Flag({ optional: true, description: 'False switches invite links off, those that were handed out too' })
  inviteLinks?: boolean;
  @MergeRulesField({ mayInherit: false, optional: true })
  mergeRules?: MergeRules;
}

/** An organization as shown to people who may join it: without its settings. */
export class JoinableOrganizationBody {
  @ObjectName('organization')
  object: 'organization';
  @Id()
  id: string;
  @Text({ example: 'Acme' })
  title: string;
  @Timestamp()
  createdAt: string;
  @Text({
    list: true,
    example: ['acme.com'],
    description: 'E-mail domains; people outside of the organization see only the domain that they asked for',
  })
  emailDomains: string[];
  @OneOf(ORGANIZATION_TYPES)
  type: string;
  @Text({ example: 'internal' })
  plan: string;
  @Nested(() => OrganizationUrls)
  urls: OrganizationUrls;
  @Nested(() => OrganizationPermissions)
  permissions: OrganizationPermissions;
}

export class JoinableOrganizationsBody {
  @Nested(() => JoinableOrganizationBody, { list: true })
  organizations: (JoinableOrganizationBody | OrganizationBody)[];
}

class SubdomainTarget {
  @OneOf(['organization'])
  type: 'organization';
  @Id()
  organization: string;
}

export class SubdomainBody {
  @ObjectName('subdomain')
  object: 'subdomain';
  @Text({ pattern: HOSTNAME, example: 'acme-docs' })
  subdomain: string;
  @Nested(() => SubdomainTarget)
  target: SubdomainTarget;
  @Flag()
  isActive: boolean;
}

/** An organization with the caller's membership. */
export interface OrganizationForCaller extends Organization, AsSeen {
  readonly defaultSiteId: string | null;
  readonly ownsTeam: boolean;
}

export function presentOrganization(organization: OrganizationForCaller, addresses: Addresses): OrganizationBody {
  const { id } = organization;
  return versioned(
    {
      object: 'organization',
      id,
      title: organization.title,
      createdAt: organization.createdAt.toISOString(),
      emailDomains: organization.emailDomains,
      ...(organization.hostname !== null && { hostname: organization.hostname }),
      type: organization.type,
      ...(organization.useCase !== null && { useCase: organization.useCase }),
      ...(organization.communityType !== null && { communityType: organization.communityType }),
      defaultRole: presentRole(organization.defaultRole),
      ...(organization.defaultSiteId !== null && {
        defaultContent: { type: 'site' as const, site: organization.defaultSiteId },
      }),
      sso: organization.sso,
      ai: organization.ai,
      inviteLinks: organization.inviteLinks,
      plan: 'internal',
      mergeRules: readMergeRules(organization.mergeRules),
      urls: {
        location: addresses.location(`/orgs/${id}`),
        app: addresses.app(`/o/${id}`),
        ...(organization.logo !== null && { logo: organization.logo }),
      },
      trial: { status: 'notapplicable', count: 0 },
      permissions: organizationFlags(rightsOn(organization), organization.ownsTeam),
    },
    organization.version,
  );
}

/** `ownsTeam`: the member owns at least one team. Flags without an operation behind them here are false. */
function organizationFlags(rights: Rights, ownsTeam: boolean): OrganizationPermissions {
  const flags = permissionFlags('organization', rights);
  return {
    ...flags,
    access: flags.view,
    ownTeam: flags.admin || (ownsTeam && allows('organization:ownTeam', rights)),
    viewBilling: false,
    listIntegrations: false,
    listInstallations: false,
    installIntegration: false,
  };
}

/** `domain` is the requested one; see `JoinableOrganizationBody`. */
export function presentJoinable(
  organization: Organization,
  domain: string,
  addresses: Addresses,
): JoinableOrganizationBody {
  const flags = organizationFlags(roleAlone('none'), false);
  return {
    object: 'organization',
    id: organization.id,
    title: organization.title,
    createdAt: organization.createdAt.toISOString(),
    emailDomains: [domain],
    type: organization.type,
    plan: 'internal',
    urls: {
      location: addresses.location(`/orgs/${organization.id}`),
      app: addresses.app(`/o/${organization.id}`),
      ...(organization.logo !== null && { logo: organization.logo }),
    },
    permissions: { ...flags, view: false, access: false },
  };
}

export function presentSubdomain({
  subdomain,
  organizationId,
}: {
  subdomain: string;
  organizationId: string;
}): SubdomainBody {
  return {
    object: 'subdomain',
    subdomain,
    target: { type: 'organization', organization: organizationId },
    isActive: true,
  };
}
