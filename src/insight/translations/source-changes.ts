import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '../../kernel/common/database.js';
import { CONFIG, type Config } from '../../kernel/platform/config/config.js';
import type { OutboxEvent } from '../../kernel/platform/outbox.js';
import { OutboxRelay } from '../../kernel/platform/outbox-relay.js';
import { RunRequests } from './run-requests.js';

/** The name under which the outbox keeps unprocessed events of translations. */
const CONSUMER = 'translations';

/**
 * Makes translations follow their sources: each new revision of a source requests a run, which includes further ones
 * soon after it. Changes that were missed while one of the two spaces was in the trash are processed when it is
 * restored.
 */
@Injectable()
export class SourceChanges implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly relay: OutboxRelay,
    private readonly requests: RunRequests,
    @Inject(CONFIG) private readonly config: Pick<Config, 'translationDelay'>,
  ) {}

  onModuleInit(): void {
    const follow = async (events: readonly OutboxEvent[]): Promise<void> => {
      for (const event of events) await this.follow(event);
    };
    this.relay.register(CONSUMER, follow, { everywhere: false });
  }

  /**
   * Subscribes to an organization as long as it has translations; must be called in the transaction that creates or
   * removes one.
   */
  async attend(organizationId: string): Promise<void> {
    const one = await this.database.one('SELECT FROM translation WHERE organization_id = $1 LIMIT 1', [organizationId]);
    await this.relay.attend(CONSUMER, organizationId, one !== undefined);
  }

  private async follow({ type, spaceId }: OutboxEvent): Promise<void> {
    if (type !== 'space_content_updated' && type !== 'space_restored') return;
    // A running run checks by itself whether its source has changed.
    const behind = await this.database.query<{ id: string }>(
      `SELECT t.id FROM translation t JOIN space s ON s.id = t.source_space_id AND s.deleted_at IS NULL
        WHERE (t.source_space_id = $1 OR $2 AND t.result_space_id = $1) AND t.status = 'completed' AND (greatest(t.source_sequence, t.review_sequence) < s.sequence OR $2 AND t.error IS NOT NULL)
        ORDER BY t.id`,
      [spaceId, type === 'space_restored'],
    );
    if (behind.length > 0)
      await this.requests.request(
        behind.map(({ id }) => id),
        this.config.translationDelay,
      );
  }
}
