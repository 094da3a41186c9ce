import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/common/clock.js';
import type { UnansweredQuestion, UnansweredQuestionRecorder } from '../../publishing/sites/sites.points.js';
import { questionId, siteSource } from './domain/site-question.js';
import { Ingestion } from './ingestion.service.js';

/**
 * Ingests questions of readers that a site does not answer as conversations, so that clusters show what is missing. The
 * same question counts once a day for each site.
 */
@Injectable()
export class QuestionRecorder implements UnansweredQuestionRecorder {
  constructor(
    private readonly ingestion: Ingestion,
    private readonly clock: Clock,
  ) {}

  async record({ organizationId, siteId, siteTitle, text }: UnansweredQuestion): Promise<void> {
    const now = this.clock.now().toISOString();
    await this.ingestion.ingest(organizationId, siteSource(siteId), [
      {
        id: `${questionId(text)}-${now.slice(0, 10)}`,
        subject: text,
        parts: [{ type: 'message', role: 'user', body: text }],
        metadata: { attributes: { site: siteTitle, kind: 'unanswered question' } },
        place: [],
      },
    ]);
  }
}
