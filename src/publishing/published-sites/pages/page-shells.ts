import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { CustomizationSettings } from '../../sites/customization.schema.js';
import { customizationOfSiteSpace } from '../../sites/customization.service.js';
import { withConsistentActions } from '../../sites/domain/page-actions.js';
import { arrange, type StructureTree } from '../../sites/domain/structure.js';
import type { ExternalLinkRow } from '../../sites/external-links.schema.js';
import type { SectionGroupRow, SiteSectionRow } from '../../sites/structure.schema.js';
import { CodeThemes } from './code-themes.js';
import { SEARCH_PATH, sectionPath, siteSpacePath } from './domain/site-paths.js';
import { socialLink } from './domain/social.js';
import { languagePackOf } from '../../../formats/html/languages/language-packs.js';
import { settingsShownTo } from '../domain/visitor.js';
import type { Words } from '../../../formats/html/languages/language.js';
import type { PreviewedRequest } from '../previews/previewed-request.js';
import type { PageShell, HeaderLink, Link, PreviewBar, SocialAccount, Tab, Variant } from './layout/view.js';
import { ReferenceLookup, type References } from './reference-lookup.js';
import { SiteAssets } from './site-assets.js';
import { SiteFonts } from './site-fonts.js';
import { pageAddress, type SitePlace } from './site-place.js';
import { SpaceTrees } from './space-trees.js';
import { StaticSearchScript } from './static/static-search-script.js';

/** A shell, and the revisions of other spaces that its links use. */
export interface BuiltPageShell {
  readonly frame: PageShell;
  readonly used: ReadonlyMap<string, string>;
}

type Target = CustomizationSettings['header']['links'][number]['links'][number]['to'];

/** Builds the common part of all pages of a site space. */
@Injectable()
export class PageShells {
  constructor(
    private readonly references: ReferenceLookup,
    private readonly assets: SiteAssets,
    private readonly fonts: SiteFonts,
    private readonly codeThemes: CodeThemes,
    private readonly trees: SpaceTrees,
    private readonly searchScript: StaticSearchScript,
  ) {}

  /** `pathname` is the page that is looked up in other variants, too. */
  async of(place: SitePlace, pathname: string): Promise<BuiltPageShell> {
    const { visit, row, base, origin } = place;
    const settings = settingsAt(place);
    const language = row.language ?? settings.internationalization.locale;
    const words = languagePackOf(language).page;
    const { links } = settings.header;
    const announced = settings.announcement?.enabled === true ? settings.announcement : undefined;
    const targets = [
      ...links.flatMap(({ to, links: below }) => [...(to === null ? [] : [to]), ...below.map((link) => link.to)]),
      ...settings.footer.groups.flatMap((group) => group.links.map((link) => link.to)),
      ...(announced?.link ? [announced.link.to] : []),
      ...(settings.header.primaryLink ? [settings.header.primaryLink] : []),
    ];
    const references = await this.references.of(place, targets, { isSiteWide: true });
    const linkOf = ({ title, to }: { readonly title: string; readonly to: Target }): Link =>
      shown(title, to, references);
    const home = settings.header.primaryLink ? references.link(settings.header.primaryLink).href : undefined;
    const frame: PageShell = {
      settings,
      words,
      language,
      siteTitle: settings.title ?? visit.site.title,
      siteSpace: row.siteSpaceId,
      base,
      home: home ?? pageAddress(place, base, ''),
      origin,
      header: links.map((link): HeaderLink => ({
        ...(link.to === null ? { title: link.title } : linkOf({ title: link.title, to: link.to })),
        style: link.style ?? 'link',
        links: link.links.map(linkOf),
      })),
      tabs: tabsOf(arrange(visit.rows, null), place),
      variants: await this.variantsOf(place, pathname),
      social: socialOf(settings),
      codeThemes: await this.codeThemes.of(settings),
      footer: settings.footer.groups.map(({ title, links: below }) => ({ title, links: below.map(linkOf) })),
      ...(announced && {
        announcement: {
          message: announced.message,
          style: announced.style,
          ...(announced.link && { link: linkOf(announced.link) }),
          key: createHash('sha256').update(announced.message).digest('base64url').slice(0, 10),
        },
      }),
      ...(visit.preview && { preview: previewBar(visit.preview, words) }),
      search: this.searchOf(place),
      assets: {
        style: this.assets.address(base, 'site.css'),
        script: this.assets.address(base, 'site.js'),
        console: this.assets.address(base, 'console.js'),
        diagrams: this.assets.diagrams(base),
      },
      fonts: {
        text: this.fonts.of(base, settings.styling.font),
        code: this.fonts.of(base, settings.styling.monospaceFont),
      },
    };
    return { frame, used: references.used };
  }

  private searchOf(place: SitePlace): PageShell['search'] {
    const address = pageAddress(place, place.base, SEARCH_PATH);
    return place.isStatic ? { address, ...this.searchScript.at(place.base) } : { address };
  }

  /** If a variant does not have the page, its own first page is linked: files know that before they are asked. */
  private async variantsOf(place: SitePlace, pathname: string): Promise<Variant[]> {
    const { visit, row, base } = place;
    const others = visit.rows.siteSpaces.filter(({ sectionId }) => sectionId === row.sectionId);
    const variants: Variant[] = [];
    for (const each of others) {
      const below = base + siteSpacePath(visit.rows, each);
      const isThere =
        !place.isStatic || (await this.trees.of(visit, each)).tree.byPath.get(pathname)?.item.type === 'document';
      variants.push({
        title: each.title,
        href:
          pageAddress(place, below, isThere ? pathname : '') +
          (pathname === '' || place.isStatic ? '' : '?fallback=true'),
        ...(each.language !== null && { language: each.language }),
        isCurrent: each.siteSpaceId === row.siteSpaceId,
      });
    }
    return variants;
  }
}

/** The settings of a site without what needs the service, which pages that are files have not got. */
function settingsAt({ visit, row, isStatic, pdfs }: SitePlace): CustomizationSettings {
  const settings = settingsShownTo(customizationOfSiteSpace(visit.site, row), visit.visitor);
  if (visit.preview) return settingsInPreview(settings);
  return isStatic ? settingsInFiles(settings, pdfs !== undefined) : settings;
}

function settingsInFiles(settings: CustomizationSettings, hasPdfs: boolean): CustomizationSettings {
  return withConsistentActions({
    ...settings,
    ai: { ...settings.ai, mode: 'none' },
    pdf: { ...settings.pdf, enabled: settings.pdf.enabled && hasPdfs },
    feedback: { ...settings.feedback, enabled: false },
    pageActions: { ...settings.pageActions, mcp: false },
  });
}

/** The settings of a site without what previews leave out, because it knows of published content only, or counts. */
function settingsInPreview(settings: CustomizationSettings): CustomizationSettings {
  return withConsistentActions({
    ...settings,
    ai: { ...settings.ai, mode: 'none' },
    pdf: { ...settings.pdf, enabled: false },
    feedback: { ...settings.feedback, enabled: false },
    git: { ...settings.git, showEditLink: false },
    problemReports: { enabled: false },
    pageVerification: { enabled: false },
    pageActions: { ...settings.pageActions, mcp: false, externalAI: false },
  });
}

function previewBar({ number, subject, app }: PreviewedRequest, words: Words): PreviewBar {
  const name = words.previewOf.replace('{number}', String(number));
  return { text: subject === '' ? name : `${name}: ${subject}`, back: { title: words.previewBack, href: app } };
}

function socialOf({ socialAccounts }: CustomizationSettings): SocialAccount[] {
  return socialAccounts.flatMap(({ platform, handle, display }) => {
    const link = socialLink(platform, handle);
    return link ? [{ ...link, inHeader: display.header, inFooter: display.footer }] : [];
  });
}

function shown(title: string, to: Target, references: References): Link {
  const { href, title: own, isExternal } = references.link(to);
  return {
    title: title === '' ? (own ?? '') : title,
    ...(href !== undefined && { href }),
    ...(isExternal === true && { isExternal }),
  };
}

function tabsOf(
  branches: readonly StructureTree<SectionGroupRow, SiteSectionRow, ExternalLinkRow>[],
  place: SitePlace,
): Tab[] {
  const { base, section: current } = place;
  return branches.map((branch): Tab => {
    if ('link' in branch) {
      const { title, icon, description, url } = branch.link;
      return {
        title,
        ...(icon !== null && { icon }),
        ...(description !== null && { description }),
        href: url,
        isExternal: true,
        isCurrent: false,
      };
    }
    if ('section' in branch) {
      const { section } = branch;
      return {
        title: section.title,
        ...(section.icon !== null && { icon: section.icon }),
        ...(section.description !== null && { description: section.description }),
        href: pageAddress(place, base, sectionPath(section).slice(1)),
        isCurrent: section.id === current?.id,
      };
    }
    const tabs = tabsOf(branch.children, place);
    return {
      title: branch.group.title,
      ...(branch.group.icon !== null && { icon: branch.group.icon }),
      tabs,
      isCurrent: tabs.some(({ isCurrent }) => isCurrent),
    };
  });
}
