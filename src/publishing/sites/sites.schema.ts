import { allows, rightsOn, type AsSeen, type Rights } from '../../kernel/access/permissions.js';
import type { Addresses } from '../../kernel/common/addresses.js';
import {
  Amount,
  Flag,
  Free,
  Id,
  Nested,
  ObjectName,
  OneOf,
  Repeated,
  Text,
  Timestamp,
  Url,
} from '../../kernel/common/fields.js';
import { PageQuery } from '../../kernel/common/page-query.js';
import { versioned } from '../../kernel/common/versioned.js';
import { DEFAULT_CUSTOMIZATION, usedCustomizations, type CustomizationSettings } from './customization.schema.js';
import { overlay, type Customization } from './domain/customization.js';
import { withConsistentActions } from './domain/page-actions.js';
import { HOSTNAME_PATTERN, PROXY_PATTERN } from './domain/paths.js';
import { rootOf } from './domain/site-root.js';

const SITE_TYPES = ['basic', 'premium', 'ultimate', 'sponsored', 'legacy-basic', 'legacy-premium'] as const;
export type SiteType = (typeof SITE_TYPES)[number];
const SITE_VISIBILITIES = ['public', 'unlisted', 'share-link', 'visitor-auth'] as const;
export type SiteVisibility = (typeof SITE_VISIBILITIES)[number];
const PERMISSIONS_MODELS = ['site'] as const;
const DEFAULT_LEVELS = ['inherit'] as const;
const AGENTS_CONTEXTS = ['excluded', 'included'] as const;
const UNANSWERED_QUESTIONS_KEPT = ['discarded', 'recorded'] as const;
type UnansweredQuestions = (typeof UNANSWERED_QUESTIONS_KEPT)[number];
export type AgentsContext = (typeof AGENTS_CONTEXTS)[number];

/** The features of every site of this installation; there are no plans that limit them. */
const FEATURES = [
  'sites-sections',
  'sites-multivariant-site',
  'sites-public-visibility',
  'sites-unlisted-visibility',
  'sites-share-links',
  'sites-visitor-authentication',
  'sites-adaptive-content',
  'sites-custom-domain',
  'sites-custom-subdirectory',
  'sites-basic-customization',
  'sites-custom-fonts',
  'sites-redirects',
  'sites-full-text-search',
  'sites-seo',
  'sites-page-feedback',
  'sites-page-traffic-insights',
  'sites-search-insights',
  'sites-advanced-insights',
] as const;
const ADVANCED_CUSTOMIZATION = 'sites-advanced-customization';

class AdaptiveContent {
  @Flag({ example: false })
  enabled: boolean;
}

class SiteProxy {
  @Text({ description: 'Host and path under which readers reach the site', example: 'example.com/docs' })
  origin: string;
  @Url({ description: 'Where requests at the origin have to be sent' })
  target: string;
}

class SiteFeature {
  @OneOf([...FEATURES, ADVANCED_CUSTOMIZATION])
  id: string;
  @OneOf(SITE_TYPES)
  plan: SiteType;
  @Flag({ example: false })
  frozen: boolean;
  @Text({ list: true, optional: true, description: 'The advanced customizations in use', example: ['header-logo'] })
  customizations?: string[];
}

class SiteUrls {
  @Url() location: string;
  @Url() app: string;
  @Url({ optional: true }) published?: string;
  @Url({ description: 'Leads members who are signed in to the site as its readers get it, published or not' })
  preview: string;
}

/** What the caller may do with a site. */
class SitePermissions {
  @Flag({ description: 'See the site' })
  view: boolean;
  @Flag({ description: 'See the site in the workspace' })
  access: boolean;
  @Flag({ description: 'Change the content of its spaces, unless these give another role' })
  edit: boolean;
  @Flag({ description: 'Add, arrange and publish what the site consists of', example: false })
  create: boolean;
  @Flag({ description: 'Change the settings of the site, and publish it', example: false })
  admin: boolean;
  @Flag({ description: 'Always false: there are no integrations', example: false })
  installIntegration: boolean;
  @Flag({ description: 'See which claims of visitors the site knows' })
  viewAdaptiveSchema: boolean;
  @Flag({ description: 'Change which claims of visitors the site knows', example: false })
  editAdaptiveSchema: boolean;
}

export class SiteBody {
  @ObjectName('site')
  object: 'site';
  @Id()
  id: string;
  @OneOf(SITE_TYPES)
  type: SiteType;
  @OneOf(SITE_TYPES, { description: 'Equal to `type`: there are no plans that limit it' })
  appliedType: SiteType;
  @Text({ example: 'Acme documentation' })
  title: string;
  @Free({
    optional: true,
    description: 'The icon of the customization: {icon: {light, dark}} or {emoji}',
    example: { emoji: '1f4d8' },
  })
  icon?: CustomizationSettings['favicon'];
  @Text({
    optional: true,
    description: 'Hostname of its own; `GET /custom-hostnames/{hostname}` tells whether it is in use yet',
    example: 'docs.example.com',
  })
  hostname?: string;
  @Text({ description: 'First segment of the published address', example: 'acme' })
  basename: string;
  @Nested(() => SiteProxy, { optional: true })
  proxy?: SiteProxy;
  @OneOf(SITE_VISIBILITIES)
  visibility: SiteVisibility;
  @OneOf(PERMISSIONS_MODELS, { description: 'Always `site`: roles are given on the site itself' })
  permissionsModel: (typeof PERMISSIONS_MODELS)[number];
  @OneOf(DEFAULT_LEVELS, {
    description: 'Always `inherit`: whoever has no role on the site has the one in the organization',
  })
  defaultLevel: (typeof DEFAULT_LEVELS)[number];
  @Nested(() => SitePermissions)
  permissions: SitePermissions;
  @Flag()
  published: boolean;
  @Amount({ min: 0, description: 'Site spaces whose space is not in the trash' })
  siteSpaces: number;
  @Timestamp()
  createdAt: string;
  @Nested(() => AdaptiveContent)
  adaptiveContent: AdaptiveContent;
  @OneOf(AGENTS_CONTEXTS, {
    description:
      'Access of agents to the published pages: there are texts for programs, or none and `robots.txt` says so',
  })
  agentsContext: AgentsContext;
  @OneOf(UNANSWERED_QUESTIONS_KEPT, {
    description: 'Questions of readers that the site does not answer become conversations, or are discarded',
  })
  unansweredQuestions: UnansweredQuestions;
  @Nested(() => SiteFeature, { list: true })
  features: SiteFeature[];
  @Nested(() => SiteUrls)
  urls: SiteUrls;
}

const TITLE = { min: 2, max: 128, example: 'Acme documentation' } as const;

export class CreateSite {
  @OneOf(SITE_TYPES, { optional: true, default: 'basic' })
  type?: SiteType;
  @Text({ ...TITLE, optional: true, description: "The first space's title when omitted" })
  title?: string;
  @OneOf(SITE_VISIBILITIES, { optional: true, default: 'public' })
  visibility?: SiteVisibility;
  @Id({
    optional: true,
    list: true,
    maxItems: 100,
    description: 'Spaces of the organization, in order; the first becomes the default. The caller must administer each',
  })
  spaces?: string[];
}

export class UpdateSite {
  @Text({ ...TITLE, optional: true })
  title?: string;
  @OneOf(SITE_VISIBILITIES, { optional: true })
  visibility?: SiteVisibility;
  @Text({
    optional: true,
    min: 1,
    max: 100,
    example: 'acme',
    description: 'Unique in the installation, ignoring case',
  })
  basename?: string;
  @Nested(() => AdaptiveContent, { optional: true })
  adaptiveContent?: AdaptiveContent;
  @OneOf(AGENTS_CONTEXTS, { optional: true, description: 'Access of agents to the published pages' })
  agentsContext?: AgentsContext;
  @OneOf(UNANSWERED_QUESTIONS_KEPT, {
    optional: true,
    description: 'Questions of readers that the site does not answer become conversations, or are discarded',
  })
  unansweredQuestions?: UnansweredQuestions;
  @Id({ optional: true, description: 'The site space at the root; with sections, the default in the default section' })
  defaultSiteSpace?: string;
  @Id({ optional: true, description: 'The section at the root' })
  defaultSiteSection?: string;
  @Text({
    optional: true,
    nullable: true,
    max: 512,
    pattern: PROXY_PATTERN,
    patternMessage: 'proxy must be a host and a path, as in example.com/docs',
    example: 'example.com/docs',
    description: 'Null removes the proxy',
  })
  proxy?: string | null;
  @Text({
    optional: true,
    nullable: true,
    max: 512,
    pattern: HOSTNAME_PATTERN,
    patternMessage: 'hostname must be a name such as docs.example.com, in lower case',
    example: 'docs.example.com',
    description:
      'Hostname of its own, whose DNS record leads to the listener of published sites; unique in the installation. Where the installation asks DNS, the site is served there once it does. Null removes it',
  })
  hostname?: string | null;
}

export class SitesQuery extends PageQuery {
  @Id({ optional: true, description: 'Only sites that hold this space' })
  space?: string;
  @Text({ optional: true, max: 128, description: 'Only sites whose title contains this, ignoring case' })
  title?: string;
  @Flag({ optional: true, query: true, description: 'Only published sites, or only the others' })
  published?: boolean;
  @Repeated()
  @OneOf(SITE_TYPES, { optional: true, list: true, maxItems: 10, description: 'Only sites of these types' })
  type?: SiteType[];
}

/** A row of `site`, as its service reads it. */
export interface SiteForCaller {
  readonly id: string;
  readonly organizationId: string;
  readonly type: SiteType;
  readonly title: string;
  readonly basename: string;
  /** The one at which the site is served. */
  readonly hostname: string | null;
  /** The one that the site is given, whether DNS leads here already or not. */
  readonly claimedHostname: string | null;
  readonly proxy: string | null;
  readonly visibility: SiteVisibility;
  readonly published: boolean;
  readonly adaptiveContent: boolean;
  readonly agentsContext: AgentsContext;
  readonly unansweredQuestions: UnansweredQuestions;
  readonly defaultSectionId: string | null;
  readonly defaultSiteSpaceId: string | null;
  readonly customization: Customization;
  readonly version: number;
  readonly createdAt: Date;
  /** Site spaces whose space is not in the trash. */
  readonly siteSpaces: number;
}

/** A site with the rights of the caller on it. */
export type SiteAsSeen = SiteForCaller & AsSeen;

/** The settings of a site, complete. */
export function customizationOf(site: Pick<SiteForCaller, 'customization'>): CustomizationSettings {
  return withConsistentActions(overlay(DEFAULT_CUSTOMIZATION, site.customization));
}

/** The flags of a site for rights on it, as the table of permissions has it. */
function siteFlags(rights: Rights): SitePermissions {
  return {
    view: allows('site:view', rights),
    access: allows('site:view', rights),
    edit: allows('space:edit', rights),
    create: allows('site:admin', rights),
    admin: allows('site:admin', rights),
    installIntegration: false,
    viewAdaptiveSchema: allows('site:view', rights),
    editAdaptiveSchema: allows('site:admin', rights),
  };
}

export function presentSite(site: SiteAsSeen, addresses: Addresses): SiteBody {
  const settings = customizationOf(site);
  const target = addresses.published(`/${site.basename}`);
  const published = addresses.published(rootOf(site));
  return versioned(
    {
      object: 'site',
      id: site.id,
      type: site.type,
      appliedType: site.type,
      title: site.title,
      ...(Object.keys(settings.favicon).length > 0 && { icon: settings.favicon }),
      ...(site.claimedHostname !== null && { hostname: site.claimedHostname }),
      basename: site.basename,
      ...(site.proxy !== null && { proxy: { origin: site.proxy, target } }),
      visibility: site.visibility,
      permissionsModel: 'site',
      defaultLevel: 'inherit',
      permissions: siteFlags(rightsOn(site)),
      published: site.published,
      siteSpaces: site.siteSpaces,
      createdAt: site.createdAt.toISOString(),
      adaptiveContent: { enabled: site.adaptiveContent },
      agentsContext: site.agentsContext,
      unansweredQuestions: site.unansweredQuestions,
      features: [
        ...FEATURES.map((id) => ({ id, plan: 'basic' as const, frozen: false })),
        { id: ADVANCED_CUSTOMIZATION, plan: 'basic', frozen: false, customizations: usedCustomizations(settings) },
      ],
      urls: {
        location: addresses.location(`/orgs/${site.organizationId}/sites/${site.id}`),
        app: addresses.app(`/o/${site.organizationId}/sites/${site.id}`),
        ...(site.published && { published }),
        preview: addresses.app(`/o/${site.organizationId}/sites/${site.id}/preview`),
      },
    },
    site.version,
  );
}
