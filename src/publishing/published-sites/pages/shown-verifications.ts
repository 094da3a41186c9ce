import { Injectable } from '@nestjs/common';
import {
  PageVerificationReader,
  type ShownVerification,
} from '../../../authoring/page-verification/page-verification-reader.js';
import type { TreePage } from './domain/space-tree.js';
import type { PageShell } from './layout/view.js';
import type { SitePlace } from './site-place.js';

/** A verification, or none, as a page shows it. */
export interface UsedVerification {
  readonly spaceId: string;
  readonly pageId: string;
  readonly shown: ShownVerification | undefined;
}

/** Who answers for pages, and until when, where the customization of the site lets readers see it. */
@Injectable()
export class ShownVerifications {
  constructor(private readonly verifications: PageVerificationReader) {}

  /** Undefined where the site says nothing of verifications. */
  async of({ row }: SitePlace, { item }: TreePage, { settings }: PageShell): Promise<UsedVerification | undefined> {
    if (!settings.pageVerification.enabled) return undefined;
    return { spaceId: row.id, pageId: item.id, shown: await this.verifications.shown(row.id, item.id) };
  }

  /** Tells whether readers are still told the same: it ends with time, and no revision tells of it. */
  async isCurrent({ spaceId, pageId, shown }: UsedVerification): Promise<boolean> {
    const now = await this.verifications.shown(spaceId, pageId);
    return now?.owner === shown?.owner && now?.until.getTime() === shown?.until.getTime();
  }
}
