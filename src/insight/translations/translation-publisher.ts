import { Injectable } from '@nestjs/common';
import { Commits } from '../../authoring/content/commits.js';
import { ContentLines } from '../../authoring/content/content-lines.js';
import { DocumentStaging } from '../../authoring/content/document-staging.js';
import { PageRedirects } from '../../authoring/content/page-redirects.js';
import { Jobs } from '../../kernel/platform/jobs/jobs.js';
import { CorrectedItems } from './segments/corrected-items.js';
import { SegmentRecords } from './segments/segment-records.js';
import type { TranslatedSpace } from './space-translator.js';
import { ReviewRequests } from './review/review-requests.js';
import { TranslationRuns, type HeldRun, type TranslationRun } from './translation-runs.js';

/** Where a run has written: what people review is in the space once they have merged it. */
interface WrittenRun {
  readonly revisionId: string;
  readonly isPublished: boolean;
  readonly changeRequestId?: string | undefined;
}

/** Writes what runs have made into the spaces with the results. */
@Injectable()
export class TranslationPublisher {
  constructor(
    private readonly runs: TranslationRuns,
    private readonly lines: ContentLines,
    private readonly staging: DocumentStaging,
    private readonly commits: Commits,
    private readonly redirects: PageRedirects,
    private readonly segments: SegmentRecords,
    private readonly corrected: CorrectedItems,
    private readonly jobs: Jobs,
    private readonly reviews: ReviewRequests,
  ) {}

  /** Makes the result visible, in the transaction that completes the job. */
  async publish(run: TranslationRun, result: TranslatedSpace): Promise<void> {
    const head = await this.lines.lockPrimary(run.resultSpaceId);
    const held = await this.runs.hold(run.id);
    // People may have changed words since the run has read them: these are corrections, which are written after it.
    const isStale = !(await this.staging.claim(run.resultSpaceId, result.hashes));
    if (isStale) throw new Error('what was translated cannot be written any more: it has to be translated again');
    if (held.review) {
      const written = await this.reviews.write(head, held, result);
      if (written || result.changes.size > 0) {
        const { revisionId, id } = written ?? { revisionId: head.revisionId, id: undefined };
        await this.complete(run, held, result, { revisionId, isPublished: false, changeRequestId: id });
        return this.correctWaiting(run);
      }
    }
    const facts = { type: 'computed', translated: true, sourceRevision: result.sourceRevision } as const;
    const revisionId =
      result.changes.size === 0
        ? head.revisionId
        : await this.commits.toPrimary(head, { items: result.changes, documents: [] }, facts);
    // The space says all that runs have written into a change request: what people have changed there stays to be merged.
    if (held.reviewRequestId !== null) {
      const sequence = head.sequence + (revisionId === head.revisionId ? 0 : 1);
      await this.reviews.write({ ...head, revisionId, sequence }, held, { ...result, changes: new Map() });
    }
    await this.redirects.replaceGiven(run.resultSpaceId, result.redirects);
    const { organizationId, id: translationId, resultSpaceId } = run;
    await this.segments.publish({ organizationId, translationId, resultSpaceId }, result.followed, result.gone);
    await this.complete(run, held, result, { revisionId, isPublished: true });
    await this.corrected.publish(run, result.corrected);
    if (held.readerNote !== run.readerNote)
      await this.jobs.enqueue('translations.note-pages', { space: resultSpaceId });
    await this.correctWaiting(run);
  }

  private async correctWaiting(run: TranslationRun): Promise<void> {
    if (await this.corrected.areWaiting(run))
      await this.jobs.enqueue('translations.correct', { translation: run.id, isAfterRun: true });
  }

  private async complete(
    run: TranslationRun,
    held: HeldRun,
    result: TranslatedSpace,
    written: WrittenRun,
  ): Promise<void> {
    const source = await this.lines.primary(run.sourceSpaceId);
    const { pages, sourceSequence, faults } = result;
    const { revisionId, isPublished, changeRequestId } = written;
    // Those that come while a run is at work are written into the space only: the next run writes them into the change request.
    const lacksCorrections = !isPublished && (await this.corrected.areGivenSince(run, held.since));
    await this.runs.complete(run, held, {
      ...{ pages, faults, revisionId, changeRequestId },
      sourceSequence: isPublished ? sourceSequence : undefined,
      isOutdated: source.sequence !== sourceSequence || lacksCorrections,
    });
  }
}
