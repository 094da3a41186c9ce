import { Injectable, Logger } from '@nestjs/common';
import { actAs, currentContext } from '../../kernel/common/context.js';
import { Database } from '../../kernel/common/database.js';
import { isId } from '../../kernel/common/ids.js';
import { Outbox } from '../../kernel/platform/outbox.js';
import { Budgets } from '../../kernel/platform/rate-limit/budget.js';
import { addressGroup } from '../../kernel/platform/rate-limit/rate-limit.js';
import { maskedEmail } from '../users/domain/masked-email.js';
import type { LoginFault } from './domain/login-fault.js';
import { asPayload, type ProtocolName } from './protocol.js';

/** Maximum number of reported refusals: per address, and in all. */
const TOLD_PER_MINUTE = { ofAddress: 5, inAll: 30 } as const;

/** Only members are reported by id: an organization learns nothing about other accounts. */
const MEMBER =
  'SELECT m.user_id AS "userId" FROM member m JOIN account a ON a.id = m.user_id WHERE m.organization_id = $1 AND lower(a.email) = lower($2)';

interface Refuser {
  readonly id: string;
  readonly label: string;
  readonly protocol: ProtocolName;
  readonly organizationId: string;
}

/** Notifies organizations of refused logins through their identity providers, with the reason. */
@Injectable()
export class LoginRefusals {
  private readonly logger = new Logger('Logins');

  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
    private readonly budgets: Budgets,
  ) {}

  /**
   * Records a refusal; the fault consists of our own words, and contains nothing of the input except the verified
   * person. Anybody can make a login fail, so only a few a minute are recorded for each address, which leaves room for
   * those of others, and 30 in all. Never throws: the person at the browser waits for a response.
   */
  async record(providerId: string, fault: LoginFault): Promise<void> {
    try {
      const provider = isId(providerId)
        ? await this.database.one<Refuser & Record<string, unknown>>(
            'SELECT id, label, protocol, organization_id AS "organizationId" FROM identity_provider WHERE id = $1',
            [providerId],
          )
        : undefined;
      if (provider) await this.tell(provider, fault);
    } catch (error) {
      this.logger.warn(`a login that was refused could not be recorded: ${String(error)}`);
    }
  }

  private async tell(provider: Refuser, { message: reason, person }: LoginFault): Promise<void> {
    const { id, label, organizationId } = provider;
    const budget = `refused-logins:${organizationId}`;
    if (
      !(await this.budgets.spend(`${budget}:${addressGroup(currentContext()?.ip)}`, TOLD_PER_MINUTE.ofAddress)).allowed
    )
      return;
    if (!(await this.budgets.spend(budget, TOLD_PER_MINUTE.inAll)).allowed) return;
    actAs({ type: 'integration', id, label });
    const member = person && (await this.database.one<{ userId: string }>(MEMBER, [organizationId, person.email]));
    const payload = { reason, verified: person !== undefined, ...member, ...asPayload(provider) };
    const audit = person && { person: maskedEmail(person.email) };
    await this.database.transaction(() =>
      this.outbox.record({
        type: 'login_refused',
        organizationId,
        target: organizationId,
        payload,
        ...(audit && { audit }),
      }),
    );
  }
}
