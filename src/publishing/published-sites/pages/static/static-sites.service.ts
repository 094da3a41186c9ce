import { Injectable } from '@nestjs/common';
import { Addresses } from '../../../../kernel/common/addresses.js';
import { Database } from '../../../../kernel/common/database.js';
import { DomainError, invalid } from '../../../../kernel/common/errors.js';
import { webAddress } from '../../../../kernel/common/web-address.js';
import { FileEndpoint } from '../../../../kernel/platform/storage/file-endpoint.js';
import { SiteUrls } from '../../../sites/site-urls.js';
import { Sites } from '../../../sites/sites.service.js';
import type { Visit } from '../../visit.js';
import { VisitorAccess } from '../../visitor-access.service.js';
import { isForEverybody, type SiteRequest } from '../site-place.js';
import { caddyFile, headersFile, nginxFile, redirectsFile, type StaticRedirect } from './domain/redirect-rules.js';
import { pageFile, redirectFile } from './domain/static-paths.js';
import { redirectPage } from './redirect-page.js';
import { StaticFiles } from './static-files.js';
import { StaticFolder, type WrittenFiles } from './static-folder.js';
import { StaticIndex } from './static-index.js';
import { NOT_FOUND_FILE, SEARCH_FILE, StaticPages } from './static-pages.js';
import { StaticRedirects } from './static-redirects.js';
import type { StaticTarget } from './static-target.js';
import { StaticTexts } from './static-texts.js';

/** The site to write and the folder; `url` is the address at which the folder will be served, by default that of the site. */
export interface StaticSiteOrder {
  readonly site: string;
  readonly folder: string;
  readonly url?: string | undefined;
  /** False leaves out the PDFs, which take most of the time. */
  readonly pdf?: boolean | undefined;
  readonly onProgress?: (done: number, total: number) => void;
}

/** The outcome of an export as static files. */
export interface StaticSiteResult extends WrittenFiles {
  readonly url: string;
  readonly pages: number;
  readonly pdfs: number;
  readonly files: number;
  readonly redirects: number;
  /** Site spaces, and pages of the others, that a reader without credentials does not see. */
  readonly leftOut: { readonly spaces: number; readonly pages: number };
  readonly problems: readonly string[];
}

/** Files of every static site: no page takes their names. */
const OWN_FILES = [NOT_FOUND_FILE, SEARCH_FILE, '_redirects', '_headers', '.nojekyll'];

/** Writes published sites as static files, which any web server serves without this service. */
@Injectable()
export class StaticSites {
  constructor(
    private readonly sites: Sites,
    private readonly access: VisitorAccess,
    private readonly urls: SiteUrls,
    private readonly addresses: Addresses,
    private readonly database: Database,
    private readonly endpoint: FileEndpoint,
    private readonly pages: StaticPages,
    private readonly texts: StaticTexts,
    private readonly redirects: StaticRedirects,
  ) {}

  /**
   * Writes what everybody sees of a site into a folder, or brings the files of an earlier export up to date. Throws
   * `notFound`, `conflict` for a site that not everybody may read, and `invalid` for an address or a folder that cannot
   * be used.
   */
  async write({
    site: id,
    folder: root,
    url,
    pdf = true,
    onProgress = () => undefined,
  }: StaticSiteOrder): Promise<StaticSiteResult> {
    const visit = await this.enter(id);
    const { origin, base } = placeOf(url ?? this.urls.of(visit.site, ''));
    const site: SiteRequest = { visit, base, origin, isStatic: true };
    const folder = await StaticFolder.open(root, `site ${id}`);
    try {
      const files = new StaticFiles(this.endpoint, folder, base, this.addresses.public);
      const index = new StaticIndex(folder);
      const problems: string[] = [];
      let done = 0;
      const onPage = (): void => onProgress(++done, total);
      const target: StaticTarget = { site, folder, files, index, problems, hasPdfs: pdf, onPage };
      for (const file of OWN_FILES) folder.claim(file);
      const names = this.texts.names(target);
      const plan = await this.pages.plan(target);
      const pages = [...plan.values()].reduce((sum, each) => sum + each.length, 0);
      const total = pages + this.pages.countPdfs(target, plan);
      onProgress(0, total);
      const pdfs = await this.pages.write(target, plan);
      await index.write();
      await this.texts.write(target, names);
      const redirects = await this.writeRedirects(target, pdfs.folders);
      const leftOut = { spaces: await this.hiddenSpaces(visit), pages: await this.pages.hidden(site) };
      const changes = await folder.finish();
      return {
        url: `${origin}${base}/`,
        pages,
        pdfs: pdfs.addresses.size,
        files: files.count,
        redirects,
        leftOut,
        ...changes,
        problems: [...problems, ...files.problems],
      };
    } catch (error) {
      await folder.abandon();
      throw error;
    }
  }

  /** The visit of a reader of whom nothing is known. */
  private async enter(id: string): Promise<Visit> {
    const { title } = await this.sites.get(id);
    const entrance = await this.access.enterById(id, {});
    const visit = entrance && 'visit' in entrance ? entrance.visit : undefined;
    if (!visit || !isForEverybody(visit))
      throw new DomainError(
        'conflict',
        `The site ${title} is not published for everybody: static files have no way to ask who reads them`,
      );
    if (visit.rows.siteSpaces.length === 0)
      throw new DomainError('conflict', `Nothing of the site ${title} is for everybody`);
    return visit;
  }

  private async writeRedirects({ site, folder }: StaticTarget, unlisted: readonly string[]): Promise<number> {
    const rules: StaticRedirect[] = [];
    const isPage = (path: string): boolean => folder.has(pageFile(path));
    for await (const rule of this.redirects.of(site, isPage)) {
      rules.push(rule);
      const file = redirectFile(decodeURIComponent(rule.from.slice(site.base.length + 1)));
      const absolute = webAddress(rule.to, site.origin)?.href ?? rule.to;
      if (folder.claim(file)) await folder.write(file, redirectPage(rule.to, absolute));
    }
    await folder.write('_redirects', redirectsFile(rules));
    await folder.write('_headers', headersFile(site.base, unlisted));
    // Without it, GitHub Pages leaves out what begins with a tilde.
    await folder.write('.nojekyll', '');
    await folder.writeNote('nginx.conf', nginxFile(site.base, rules, unlisted));
    await folder.writeNote('Caddyfile', caddyFile(site.base, rules, unlisted));
    return rules.length;
  }

  private async hiddenSpaces({ site, rows }: Visit): Promise<number> {
    const all = await this.database.one<{ count: number }>(
      'SELECT count(*)::int AS count FROM site_route WHERE site_id = $1',
      [site.id],
    );
    return (all?.count ?? 0) - rows.siteSpaces.length;
  }
}

/** The origin of an address, and its path without a slash at its end. Throws `invalid` for one that no site can have. */
function placeOf(url: string): { readonly origin: string; readonly base: string } {
  const address = webAddress(url);
  if (
    !address ||
    !/^https?:$/.test(address.protocol) ||
    address.search !== '' ||
    address.hash !== '' ||
    address.username !== '' ||
    address.password !== ''
  )
    throw invalid('url', 'must be an address such as https://docs.example.com, without query, fragment and password');
  return { origin: address.origin, base: address.pathname.replace(/\/+$/, '') };
}
