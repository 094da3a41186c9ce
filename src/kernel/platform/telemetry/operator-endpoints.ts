import { timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import ipaddr from 'ipaddr.js';
import { DomainError } from '../../common/errors.js';
import { hashSecret } from '../../common/secrets.js';
import { CONFIG, type Config } from '../config/config.js';
import { BackgroundWork } from '../jobs/background-work.js';
import { Backfills, describeBackfill } from '../migrations/backfills.js';
import { Health } from './health.js';
import { Metrics } from './metrics.js';

/** `/healthz`, `/readyz` and `/metrics`: for the operator of the server, beside the API and without tokens of users. */
@Injectable()
export class OperatorEndpoints {
  constructor(
    private readonly health: Health,
    private readonly metrics: Metrics,
    private readonly work: BackgroundWork,
    private readonly backfills: Backfills,
    @Inject(CONFIG) private readonly config: Pick<Config, 'metricsToken'>,
  ) {}

  handle(request: Request, response: Response, next: NextFunction): void {
    const answer = this.answerTo(request.path);
    if (!answer) {
      next();
      return;
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      next(new DomainError('methodNotAllowed', 'This can only be read', [], { Allow: 'GET, HEAD' }));
      return;
    }
    response.setHeader('Cache-Control', 'no-store');
    answer(request, response).catch(next);
  }

  private answerTo(path: string): ((request: Request, response: Response) => Promise<void>) | undefined {
    if (path === '/healthz') return async (_, response) => void response.json({ status: 'ok' });
    if (path === '/readyz') return (_, response) => this.readiness(response);
    if (path === '/metrics') return (request, response) => this.showMetrics(request, response);
    return undefined;
  }

  private async readiness(response: Response): Promise<void> {
    const problems = await this.health.problems();
    if (problems.length > 0)
      throw new DomainError('unavailable', `Not ready: ${problems.join(', ')}`, [], { 'Retry-After': '5' });
    const waits = await this.work.heldBy();
    const { reads } = this.health;
    // A detail that the primary alone knows, which may be away.
    const progress = await this.backfills.progress().catch(() => []);
    response.json({
      status: 'ready',
      ...(reads !== undefined && { reads }),
      ...(waits !== undefined && { backgroundWork: `waits: ${waits}` }),
      ...(progress.length > 0 && {
        migrations: progress.map((each) => `${each.migration}: ${describeBackfill(each)}`).join('; '),
      }),
    });
  }

  private async showMetrics(request: Request, response: Response): Promise<void> {
    if (!isFromThisMachine(request) && !this.hasToken(request))
      throw new DomainError('forbidden', 'Metrics are shown on this machine, or for METRICS_TOKEN');
    response.type(this.metrics.registry.contentType).send(await this.metrics.text());
  }

  private hasToken(request: Request): boolean {
    const { metricsToken } = this.config;
    const given = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
    return (
      metricsToken !== undefined && given !== undefined && timingSafeEqual(hashSecret(given), hashSecret(metricsToken))
    );
  }
}

const PROXIED = /^(x-forwarded-|x-real-ip$|x-client-ip$|forwarded$|via$|cf-connecting-ip$)/;

/** A proxy on this machine forwards requests of others, and says so in a header. */
function isFromThisMachine(request: Request): boolean {
  const address = request.socket.remoteAddress ?? '';
  const isForwarded = Object.keys(request.headers).some((name) => PROXIED.test(name));
  return !isForwarded && ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback';
}
