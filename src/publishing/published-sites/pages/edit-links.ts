import { Injectable } from '@nestjs/common';
import { SpaceRepositories } from '../../../authoring/interchange/git/space-repositories.service.js';
import { editAddress } from './domain/edit-address.js';
import type { TreePage } from './domain/space-tree.js';
import type { SitePlace } from './site-place.js';

/** Links readers to the source of a page for editing. */
@Injectable()
export class EditLinks {
  constructor(private readonly repositories: SpaceRepositories) {}

  /**
   * For a page that came from, or was exported to, the repository of its space. Its inputs are covered by the stamp of
   * the site and the revision of the space.
   */
  async of({ row }: SitePlace, { item }: TreePage): Promise<string | undefined> {
    const path = (item.props['git'] as { readonly path?: string } | undefined)?.path;
    if (path === undefined) return undefined;
    const repository = await this.repositories.find(row.id);
    return repository && editAddress(repository, path);
  }
}
