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
import { HOSTNAME_PATTERN } from './domain/paths.js';
import { rootOf } from './domain/site-root.js';

const SITE_TYPES = ['basic', 'premium', 'ultimate', 'sponsored', 'legacy-basic', 'legacy-premium'] as const;
export type SiteType = (typeof SITE_TYPES)[number];
const SITE_VISIBILITIES = ['public', 'unlisted', 'share-link', 'visitor-auth'] as const;
export type SiteVisibility = (typeof SITE_VISIBILITIES)[number];
const AGENTS_CONTEXTS = ['excluded', 'included'] as const;
const UNANSWERED_QUESTIONS_KEPT = ['discarded', 'recorded'] as const;
type UnansweredQuestions = (typeof UNANSWERED_QUESTIONS_KEPT)[number];
export type AgentsContext = (typeof AGENTS_CONTEXTS)[number];

const PROXY_PATTERN = /^([\w-]+\.)*[\w-]+\.[a-zA-Z]{2,}(\/[\w-]+)+$/;
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
}

export class SiteBody {
  @ObjectName('site')
  object: 'site';
  @Id()
  id: string;
  @OneOf(SITE_TYPES)
  type: SiteType;
  @Text({ example: 'Acme documentation' })
  title: string;
  @Free({
    optional: true,
    description: 'The icon of the customization: {icon: {light, dark}} or {emoji}',
    example: { emoji: '1f4d8' },
  })
  icon?: CustomizationSettings['favicon'];
  @Text({ optional: true, example: 'docs.example.com' })
  hostname?: string;
  @Text({ description: 'First segment of the published address', example: 'acme' })
  basename: string;
  @Nested(() => SiteProxy, { optional: true })
  proxy?: SiteProxy;
  @OneOf(SITE_VISIBILITIES)
  visibility: SiteVisibility;
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
      'Whether agents may read what is published: there are texts for programs, or none and `robots.txt` says so',
  })
  agentsContext: AgentsContext;
  @OneOf(UNANSWERED_QUESTIONS_KEPT, {
    description: 'Whether questions of readers that the site does not answer are recorded as conversations',
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
  @OneOf(AGENTS_CONTEXTS, { optional: true, description: 'Whether agents may read what is published' })
  agentsContext?: AgentsContext;
  @OneOf(UNANSWERED_QUESTIONS_KEPT, {
    optional: true,
    description: 'Whether questions of readers that the site does not answer are recorded as conversations',
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
      'Hostname of its own, whose DNS record leads to the listener of published sites; unique in the installation. Null removes it',
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
  readonly hostname: string | null;
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

/** The settings of a site, complete. */
export function customizationOf(site: Pick<SiteForCaller, 'customization'>): CustomizationSettings {
  return overlay(DEFAULT_CUSTOMIZATION, site.customization);
}

export function presentSite(site: SiteForCaller, addresses: Addresses): SiteBody {
  const settings = customizationOf(site);
  const target = addresses.published(`/${site.basename}`);
  const published = addresses.published(rootOf(site));
  return versioned(
    {
      object: 'site',
      id: site.id,
      type: site.type,
      title: site.title,
      ...(Object.keys(settings.favicon).length > 0 && { icon: settings.favicon }),
      ...(site.hostname !== null && { hostname: site.hostname }),
      basename: site.basename,
      ...(site.proxy !== null && { proxy: { origin: site.proxy, target } }),
      visibility: site.visibility,
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
      },
    },
    site.version,
  );
}
