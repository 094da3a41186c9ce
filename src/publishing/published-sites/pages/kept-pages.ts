import { Injectable } from '@nestjs/common';
import { Cache } from '../../../kernel/common/cache.js';
import { TextChanges } from '../../../authoring/content/text-changes.js';
import { Clock } from '../../../kernel/common/clock.js';
import { resumed } from '../../../kernel/common/context.js';
import { infrastructureFaultOf } from '../../../kernel/common/infrastructure-fault.js';
import { PublishedVersions, type ReadingMoment } from '../published-versions.js';
import { HtmlBody } from './html-body.js';
import type { HttpResponse } from './http-response.js';
import { PageStore } from './page-store.js';
import { ReferenceLookup } from './reference-lookup.js';
import { ShownVerifications } from './shown-verifications.js';
import { SiteAssets } from './site-assets.js';
import { isSameForAll, type SitePlace } from './site-place.js';
import { SpaceTrees } from './space-trees.js';
import { isOfItsTime, type PageToKeep, type StoredPage } from './stored-page.js';

/** Bytes of a page beside its HTML: its headers, and what it follows from. Pages that do not fit are found on disk. */
const BYTES_OF_PAGE = 2000;
/** Revisions within which the changes since a page was made are looked for. */
const REVISIONS_LOOKED_AT = 1000;
/** Milliseconds for which a page is cached whose code could not be highlighted in time. */
const PROVISIONAL = 30_000;

interface KeptPage extends StoredPage {
  /** The last revision of its space of which it is known to be the page. */
  revisionId: string;
  sequence: number;
  /** The moment as of which all inputs were found to be unchanged. */
  read: ReadingMoment;
}

/** Pages of published sites as complete responses, kept as long as all their inputs are unchanged. */
@Injectable()
export class KeptPages {
  private readonly kept = new Cache<KeptPage>({
    share: 24,
    weigh: ({ answer: { body } }) => (body instanceof HtmlBody ? body.size : 0) + BYTES_OF_PAGE,
  });

  constructor(
    private readonly trees: SpaceTrees,
    private readonly references: ReferenceLookup,
    private readonly verifications: ShownVerifications,
    private readonly assets: SiteAssets,
    private readonly versions: PublishedVersions,
    private readonly changes: TextChanges,
    private readonly clock: Clock,
    private readonly store: PageStore,
  ) {}

  keep(place: SitePlace, pathname: string, page: PageToKeep, read: ReadingMoment): void {
    const { revisionId, sequence } = place.row;
    const key = this.keyOf(place, pathname);
    const kept = { ...page, revisionId, sequence: Number(sequence), read, madeAt: this.clock.now() };
    this.kept.set(key, kept, page.isProvisional ? { ttl: PROVISIONAL } : {});
    this.store.keep(place, key, { ...kept });
  }

  /**
   * A kept page that is still current. Costs no statement on a site that everybody sees alike; on others one where it uses
   * specifications or other sites, or tells who verified it.
   */
  async current(place: SitePlace, pathname: string): Promise<HttpResponse | undefined> {
    const key = this.keyOf(place, pathname);
    const known = this.kept.get(key);
    const answer = known && (await this.ifCurrent(place, known));
    if (answer) return answer;
    const read = this.versions.momentOf(place.visit);
    const stored = await this.store.find(place, key);
    resumed();
    if (!stored || (known && stored.madeAt <= known.madeAt)) return undefined;
    const kept = { ...stored, read };
    if (!this.isOfThisTime(kept)) return undefined;
    try {
      if (!(await this.isUnchanged(place, kept))) return undefined;
    } catch (error) {
      const mayStandIn = place.visit.isStale && kept.revisionId === place.row.revisionId;
      if (mayStandIn && infrastructureFaultOf(error)) return kept.answer;
      throw error;
    }
    this.confirm(place, kept, read);
    this.kept.set(key, kept);
    return kept.answer;
  }

  private async ifCurrent(place: SitePlace, kept: KeptPage): Promise<HttpResponse | undefined> {
    if (!this.isOfThisTime(kept)) return undefined;
    const { organizationId } = place.visit.site;
    const isPublic = isSameForAll(place.visit);
    const isOfRevision = kept.revisionId === place.row.revisionId;
    if (isPublic && isOfRevision && this.versions.isCurrent(organizationId, kept.read)) return kept.answer;
    const read = this.versions.momentOf(place.visit);
    try {
      if (!(await this.isUnchanged(place, kept))) return undefined;
    } catch (error) {
      const mayStandIn = isPublic && isOfRevision && this.versions.mayStandIn(organizationId, kept.read);
      if (mayStandIn && infrastructureFaultOf(error)) return kept.answer;
      throw error;
    }
    this.confirm(place, kept, read);
    return kept.answer;
  }

  private confirm({ row }: SitePlace, kept: KeptPage, read: ReadingMoment): void {
    kept.revisionId = row.revisionId;
    kept.sequence = Number(row.sequence);
    kept.read = read;
  }

  /** The page with a key, if it is known to be current without asking for anything. */
  asRead(key: string, { visit, row }: SitePlace): HttpResponse | undefined {
    const kept = this.kept.get(key);
    return kept &&
      kept.revisionId === row.revisionId &&
      this.isOfThisTime(kept) &&
      this.versions.isCurrent(visit.site.organizationId, kept.read)
      ? kept.answer
      : undefined;
  }

  /** Equal for requests that get the same page, at any revision of its space. */
  keyOf({ visit, row, base, origin, isStatic }: SitePlace, pathname: string): string {
    return JSON.stringify([
      visit.site.id,
      visit.stamp,
      row.siteSpaceId,
      visit.preview === undefined ? '' : row.revisionId,
      base,
      origin,
      visit.claimsKey,
      visit.shareKey !== undefined,
      this.assets.version,
      isStatic,
      pathname,
    ]);
  }

  private isOfThisTime(kept: KeptPage): boolean {
    return isOfItsTime(kept, this.clock.now());
  }

  private async isUnchanged({ visit, row }: SitePlace, kept: KeptPage): Promise<boolean> {
    if (kept.revisionId !== row.revisionId) {
      const sequence = Number(row.sequence);
      if (kept.sequence > sequence || sequence - kept.sequence > REVISIONS_LOOKED_AT) return false;
      const changed = await this.changes.since(row.id, kept, sequence);
      if (!changed || changed.has(kept.answer.page ?? '')) return false;
    }
    if (!(await this.references.areCurrent(visit, kept.used))) return false;
    if (kept.verification && !(await this.verifications.isCurrent(kept.verification))) return false;
    return this.trees.areCurrent(visit, row, kept.specifications);
  }
}
