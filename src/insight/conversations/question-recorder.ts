import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/common/clock.js';
import type { UnansweredQuestion, UnansweredQuestionRecorder } from '../../publishing/sites/sites.points.js';
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
    const asked = text
      .normalize('NFKC')
      .toLowerCase()
      .replace(/[\s\p{P}]+/gu, ' ')
      .trim();
    const id = createHash('sha256').update(asked).digest('hex').slice(0, 32);
    await this.ingestion.ingest(organizationId, `integration:site:${siteId}`, [
      {
        id: `${now.slice(0, 10)}-${id}`,
        subject: text,
        parts: [{ type: 'message', role: 'user', body: text }],
        metadata: { attributes: { site: siteTitle, kind: 'unanswered question' } },
        place: [],
      },
    ]);
  }
}
