import { Injectable } from '@nestjs/common';
import { Access, type SpaceAccess } from '../../kernel/access/access.service.js';
import { presentCollection } from '../../workspace/collections/collections.schema.js';
import { Collections } from '../../workspace/collections/collections.service.js';
import { Addresses } from '../../kernel/common/addresses.js';
import type { Caller } from '../../kernel/common/context.js';
import { notFound } from '../../kernel/common/errors.js';
import { ChangeRequestStore } from '../../authoring/change-requests/change-request-store.js';
import { ContentPlaces, type ContentPlace } from '../../authoring/content/content-places.js';
import { ContentReader } from '../../authoring/content/content-reader.js';
import { presentSpace } from '../../workspace/spaces/spaces.schema.js';
import { Spaces } from '../../workspace/spaces/spaces.service.js';
import type { ContentUrlBody } from './content-urls.schema.js';
import { readAppPath, type AppPlace } from './domain/app-address.js';
import { PublishedPlaces } from './published-places.js';
import { isWebAddress } from '../../kernel/common/web-address.js';

const NOWHERE = 'Content';

/** Resolves addresses to content. */
@Injectable()
export class ContentUrls {
  constructor(
    private readonly access: Access,
    private readonly addresses: Addresses,
    private readonly collections: Collections,
    private readonly spaces: Spaces,
    private readonly places: ContentPlaces,
    private readonly reader: ContentReader,
    private readonly requests: ChangeRequestStore,
    private readonly sites: PublishedPlaces,
  ) {}

  /** Throws `notFound` for an address without a target that the caller can see. */
  async resolve(caller: Caller, url: string): Promise<ContentUrlBody> {
    const place = isWebAddress(url) ? ((await this.inApp(url)) ?? (await this.sites.find(url))) : undefined;
    if (!place) throw notFound(NOWHERE);
    if ('collection' in place) {
      if (!(await this.access.collection(caller, place.collection))) throw notFound(NOWHERE);
      return {
        collection: presentCollection(await this.collections.get(caller.userId, place.collection), this.addresses),
      };
    }
    const space = await this.access.space(caller, place.space);
    if (!space || space.deletedAt !== null) throw notFound(NOWHERE);
    return {
      space: presentSpace(await this.spaces.get(caller.userId, space.id), this.addresses),
      ...(await this.within(space, place)),
    };
  }

  private async within(
    space: SpaceAccess,
    { changeRequest, revision, pageId, path }: Exclude<AppPlace, { collection: string }>,
  ): Promise<Omit<ContentUrlBody, 'space' | 'collection'>> {
    const at = await this.places.at(space, {
      ...(changeRequest !== undefined && { changeRequestId: changeRequest }),
      ...(revision !== undefined && { revisionId: revision }),
    });
    const line = changeRequest === undefined ? null : at.point.line;
    const page = await this.pageOf(at, pageId, path);
    return {
      ...(line !== null && { changeRequest: await this.requests.shown(space, line) }),
      ...(page && { page }),
    };
  }

  private async pageOf(
    at: ContentPlace,
    pageId: string | undefined,
    path: string | undefined,
  ): Promise<Record<string, unknown> | undefined> {
    if (pageId === undefined && path === undefined) return undefined;
    const query = { metadata: true, computed: true, format: 'document', evaluated: 'false' } as const;
    const found = await (pageId === undefined
      ? this.reader.pageAtPath(at, path ?? '', query)
      : this.reader.page(at, pageId, query));
    return JSON.parse(found.json) as Record<string, unknown>;
  }

  private async inApp(url: string): Promise<AppPlace | undefined> {
    const app = this.addresses.app('');
    const path = decodedPath(url);
    if (path === undefined || new URL(app).host !== new URL(url).host) return undefined;
    const base = new URL(app).pathname;
    return path.startsWith(`${base}/`) ? readAppPath(path.slice(base.length)) : undefined;
  }
}

/** The path of an address, decoded; undefined if it cannot be decoded. */
function decodedPath(url: string): string | undefined {
  try {
    const path = decodeURIComponent(new URL(url).pathname);
    return path.includes('\0') ? undefined : path;
  } catch {
    return undefined;
  }
}
