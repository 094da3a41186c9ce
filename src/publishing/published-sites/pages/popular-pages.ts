import { Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { resolveSitePath } from '../domain/resolve-site-path.js';
import { ALL_PUBLISHED, PublishedVersions } from '../published-versions.js';
import { VisitorAccess } from '../visitor-access.service.js';
import { PageRouter } from './page-router.js';
import { PublicAnswers, type ReadAddress } from './public-answers.js';
import type { SitePlace } from './site-place.js';

/** Pages of an organization that are made anew after a change. */
const PAGES_OF_ORGANIZATION = 50;
/** Organizations that wait for it; the pages of others are made when somebody reads them. */
const ORGANIZATIONS_WAITING = 100;
/** Milliseconds after a change within which more changes are awaited. */
const PAUSE = 100;

/**
 * Makes the pages of public sites that are read most anew when something has changed, so that readers need not wait for
 * it: one page at a time, behind the requests.
 */
@Injectable()
export class PopularPages implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger('PopularPages');
  private readonly waiting = new Set<string>();
  private timer: NodeJS.Timeout | undefined;
  private isOver = false;

  constructor(
    private readonly versions: PublishedVersions,
    private readonly answers: PublicAnswers,
    private readonly access: VisitorAccess,
    private readonly pages: PageRouter,
  ) {}

  onModuleInit(): void {
    this.versions.onChange((organizationId) => this.changed(organizationId));
  }

  onModuleDestroy(): void {
    this.isOver = true;
    clearTimeout(this.timer);
  }

  private changed(organizationId: string): void {
    if (this.isOver || organizationId === ALL_PUBLISHED || this.waiting.size >= ORGANIZATIONS_WAITING) return;
    this.waiting.add(organizationId);
    this.timer ??= setTimeout(() => void this.makeAnew(), PAUSE).unref();
  }

  private async makeAnew(): Promise<void> {
    for (const organizationId of this.waiting) {
      this.waiting.delete(organizationId);
      for (const address of this.answers.readMost(organizationId, PAGES_OF_ORGANIZATION)) {
        if (this.isOver) return;
        // A reader of the page is told what is wrong with it.
        await this.make(address).catch((error: unknown) => this.logger.debug(`a page was not made: ${String(error)}`));
      }
    }
    this.timer = undefined;
  }

  private async make(address: ReadAddress): Promise<void> {
    const { host, url, place } = address;
    const { pathname } = new URL(url, 'http://localhost');
    const entered = await this.access.enter({ host, path: pathname }, {});
    if (!entered?.entrance || !('visit' in entered.entrance)) return;
    const { visit } = entered.entrance;
    const found = resolveSitePath(visit.rows, entered.path);
    if (!visit.read || !found) return;
    const { base, origin } = place;
    const now: SitePlace = { base, origin, visit, row: found.siteSpace, section: found.section };
    const answer = await this.pages.prepare(now, found.pathname);
    if (answer && entered.siteBasePath === base) this.answers.renew(address, now, found.pathname, answer);
  }
}
