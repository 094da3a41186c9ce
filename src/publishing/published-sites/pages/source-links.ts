import { Injectable } from '@nestjs/common';
import { SpaceRepositories } from '../../../authoring/interchange/git/space-repositories.service.js';
import { editAddress, issueAddress } from './domain/repository-addresses.js';
import type { TreePage } from './domain/space-tree.js';
import type { Link, PageShell } from './layout/view.js';
import type { SitePlace } from './site-place.js';

/** Links readers to the source of a page, and to where its problems are reported. */
@Injectable()
export class SourceLinks {
  constructor(private readonly repositories: SpaceRepositories) {}

  /**
   * As the settings of a site ask for them; those into a repository are there for spaces that came from, or were
   * exported to, one. Their inputs are covered by the stamp of the site and the revision of the space. `address` is the
   * canonical one of the page.
   */
  async of(
    { row }: SitePlace,
    { item }: TreePage,
    { settings, words }: PageShell,
    address: string,
  ): Promise<{ readonly edit: Link[]; readonly report: Link[] }> {
    const { git, problemReports } = settings;
    const path = (item.props['git'] as { readonly path?: string } | undefined)?.path;
    const needsEditor = git.showEditLink && path !== undefined;
    const needsIssues = problemReports.enabled && problemReports.url === undefined;
    const repository = needsEditor || needsIssues ? await this.repositories.find(row.id) : undefined;
    const edit = repository && needsEditor ? editAddress(repository, path) : undefined;
    const report =
      problemReports.enabled && problemReports.url !== undefined
        ? withPage(problemReports.url, address)
        : repository && needsIssues && issueAddress(repository, { title: item.title, text: address });
    const editTitle = edit?.service === undefined ? words.editPage : words.editOn.replace('{name}', edit.service);
    return {
      edit: edit ? [{ title: editTitle, href: edit.href, isExternal: true }] : [],
      report: report ? [{ title: words.reportProblem, href: report, isExternal: true }] : [],
    };
  }
}

/** An address for reports that names the page. */
function withPage(url: string, page: string): string {
  const address = new URL(url);
  address.searchParams.set('page', page);
  return address.href;
}
