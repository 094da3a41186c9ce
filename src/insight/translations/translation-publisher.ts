import { Injectable } from '@nestjs/common';
import { Commits } from '../../authoring/content/commits.js';
import { ContentLines } from '../../authoring/content/content-lines.js';
import { DocumentStaging } from '../../authoring/content/document-staging.js';
import { PageRedirects } from '../../authoring/content/page-redirects.js';
import { Jobs } from '../../kernel/platform/jobs/jobs.js';
import { CorrectedItems } from './segments/corrected-items.js';
import { SegmentRecords } from './segments/segment-records.js';
import type { TranslatedSpace } from './space-translator.js';
import { TranslatedItems } from './translated-items.js';
import { TranslationRuns, type TranslationRun } from './translation-runs.js';

/** Writes what runs have made into the spaces with the results. */
@Injectable()
export class TranslationPublisher {
  constructor(
    private readonly runs: TranslationRuns,
    private readonly lines: ContentLines,
    private readonly staging: DocumentStaging,
    private readonly commits: Commits,
    private readonly redirects: PageRedirects,
    private readonly items: TranslatedItems,
    private readonly segments: SegmentRecords,
    private readonly corrected: CorrectedItems,
    private readonly jobs: Jobs,
  ) {}

  /** Makes the result visible, in the transaction that completes the job. */
  async publish(run: TranslationRun, result: TranslatedSpace): Promise<void> {
    const head = await this.lines.lockPrimary(run.resultSpaceId);
    const held = await this.runs.hold(run.id);
    // People may have changed words since the run has read them: these are corrections, which are written after it.
    const isStale = !(await this.staging.claim(run.resultSpaceId, result.hashes));
    if (isStale) throw new Error('what was translated cannot be written any more: it has to be translated again');
    const facts = { type: 'computed', translated: true, sourceRevision: result.sourceRevision } as const;
    const revisionId =
      result.changes.size === 0
        ? head.revisionId
        : await this.commits.toPrimary(head, { items: result.changes, documents: [] }, facts);
    await this.redirects.replaceGiven(run.resultSpaceId, result.redirects);
    await this.items.replace(run.resultSpaceId, result.followed, result.gone);
    const { organizationId, id: translationId, resultSpaceId } = run;
    await this.segments.remove({ organizationId, translationId, resultSpaceId }, result.gone);
    const source = await this.lines.primary(run.sourceSpaceId);
    await this.runs.complete(run, held, {
      revisionId,
      pages: result.pages,
      sourceSequence: result.sourceSequence,
      isOutdated: source.sequence !== result.sourceSequence,
      faults: result.faults,
    });
    await this.corrected.publish(run, result.corrected);
    if (held.readerNote !== run.readerNote)
      await this.jobs.enqueue('translations.note-pages', { space: resultSpaceId });
    if (await this.corrected.areWaiting(run))
      await this.jobs.enqueue('translations.correct', { translation: translationId, isAfterRun: true });
  }
}
