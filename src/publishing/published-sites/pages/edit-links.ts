import { Injectable } from '@nestjs/common';
import { SpaceRepositories } from '../../../authoring/interchange/git/space-repositories.service.js';
import { editAddress } from './domain/edit-address.js';
import type { TreePage } from './domain/space-tree.js';
import type { SitePlace } from './site-place.js';

/** Leads readers to where the source of a page is changed. */
@Injectable()
export class EditLinks {
  constructor(private readonly repositories: SpaceRepositories) {}

  /** Of a page that came from, or went into, the repository of its space. What it follows from is in the stamp of the site and the revision of the space. */
  async of({ row }: SitePlace, { item }: TreePage): Promise<string | undefined> {
    const path = (item.props['git'] as { readonly path?: string } | undefined)?.path;
    if (path === undefined) return undefined;
    const repository = await this.repositories.find(row.id);
    return repository && editAddress(repository, path);
  }
}
