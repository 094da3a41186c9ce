import { Inject, Injectable } from '@nestjs/common';
import { batchesWithin } from '../../../kernel/common/batches.js';
import { webAddress } from '../../../kernel/common/web-address.js';
import { CONFIG, type Config } from '../../../kernel/platform/config/config.js';
import { Outbound, type OutboundRequest } from '../../../kernel/platform/outbound/outbound.js';
import { SURROGATE_KEY } from './cache-tags.js';

/** Milliseconds for which a cache is waited for. */
const TIMEOUT = 5000;
/** Tags in one request: the header of 100 has 3 kB, and Cloudflare takes 30. */
const TAGS_AT_ONCE = { varnish: 100, fastly: 100, cloudflare: 30 } as const;
const JSON_TYPE = { 'Content-Type': 'application/json' };

export type PurgeForm = keyof typeof TAGS_AT_ONCE;

/** A cache that is told of changes. */
export interface PurgeTarget {
  readonly form: PurgeForm;
  readonly url: string;
}

/** Reads `<form>:<address>`; undefined for anything else. */
export function purgeTargetOf(text: string): PurgeTarget | undefined {
  const [, form, url = ''] = /^(varnish|fastly|cloudflare):(https?:\/\/.+)$/.exec(text) ?? [];
  const address = webAddress(url);
  if (form === undefined || !address) return undefined;
  const { search, hash, username, password } = address;
  return search + hash + username + password === ''
    ? { form: form as PurgeForm, url: url.replace(/\/+$/, '') }
    : undefined;
}

/** Tells the caches in front of the service which answers they may not send any more. */
@Injectable()
export class PurgeTargets {
  private readonly targets: readonly PurgeTarget[];
  private readonly token: string | undefined;

  constructor(
    private readonly outbound: Outbound,
    @Inject(CONFIG) config: Pick<Config, 'sharedCachePurge' | 'sharedCacheToken'>,
  ) {
    this.targets = config.sharedCachePurge.flatMap((text) => purgeTargetOf(text) ?? []);
    this.token = config.sharedCacheToken;
  }

  get areAny(): boolean {
    return this.targets.length > 0;
  }

  /** Purges all that has one of these tags; throws if a cache does not confirm it. */
  async purge(tags: readonly string[]): Promise<void> {
    await Promise.all(
      this.targets.flatMap((target) =>
        [...batchesWithin(tags, TAGS_AT_ONCE[target.form], () => 1)].map((some) => this.tell(target, some)),
      ),
    );
  }

  private async tell(target: PurgeTarget, tags: readonly string[]): Promise<void> {
    const [path, request] = this.requestOf(target.form, tags);
    const { status } = await this.outbound.fetch(`${target.url}${path}`, {
      ...request,
      setByOperator: true,
      timeout: TIMEOUT,
    });
    if (status < 200 || status > 299) throw new Error(`${target.form} answered ${status} to a purge`);
  }

  private requestOf(form: PurgeForm, tags: readonly string[]): readonly [path: string, OutboundRequest] {
    const { token } = this;
    switch (form) {
      case 'varnish':
        return ['/', { method: 'PURGE', headers: { [SURROGATE_KEY]: tags.join(' ') } }];
      case 'fastly':
        return [
          '/purge',
          {
            method: 'POST',
            headers: { ...JSON_TYPE, Accept: 'application/json', ...(token !== undefined && { 'Fastly-Key': token }) },
            body: Buffer.from(JSON.stringify({ surrogate_keys: tags })),
          },
        ];
      case 'cloudflare':
        return [
          '/purge_cache',
          {
            method: 'POST',
            headers: JSON_TYPE,
            ...(token !== undefined && { credentials: { authorization: `Bearer ${token}` } }),
            body: Buffer.from(JSON.stringify({ tags })),
          },
        ];
    }
  }
}
