import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/common/clock.js';
import { Database } from '../../kernel/common/database.js';
import { notFound } from '../../kernel/common/errors.js';
import { newId } from '../../kernel/common/ids.js';
import { Outbox } from '../../kernel/platform/outbox.js';
import type { RequestHead } from '../content/request-lines.js';
import { ChangeRequestStore } from './change-request-store.js';
import { ChangeRequest } from './change-request.entity.js';

/** Change requests that the service opens and archives by itself, for people to review. */
@Injectable()
export class ServiceRequests {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly store: ChangeRequestStore,
    private readonly outbox: Outbox,
  ) {}

  /**
   * Opens a change request on the head of the primary line, in the name of a user, who may have lost all rights since they asked for
   * it; returns its id. Must run in a transaction.
   */
  async open(userId: string, spaceId: string, subject: string): Promise<string> {
    const now = this.clock.now();
    const id = newId(now.getTime());
    const made = await this.store.insert({ spaceId, id, subject, status: 'open', createdBy: userId, createdAt: now });
    if (!made) throw notFound('Space');
    const { organizationId, number } = made;
    const about = { organizationId, spaceId, target: id };
    await this.outbox.record({ ...about, type: 'change_request_created', payload: { number } });
    // Reviewers hear of a change request when it is opened.
    await this.outbox.record({ ...about, type: 'change_request_updated', payload: { fields: ['status'] } });
    return id;
  }

  /** Archives a change request that has nothing to review any more, under its lock. */
  async archive({ id, spaceId, organizationId }: RequestHead): Promise<void> {
    const requests = this.database.of(ChangeRequest);
    await requests.update({ id }, { status: 'archived', updatedAt: this.clock.now() });
    const payload = { fields: ['status'] };
    await this.outbox.record({ type: 'change_request_updated', organizationId, spaceId, target: id, payload });
  }
}
