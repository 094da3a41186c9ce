import { isIP } from 'node:net';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../../kernel/platform/config/config.js';
import { targetsOfListener, type DnsTargets } from '../domain/hostname-status.js';

/** The names and addresses to which records of hostnames have to lead; none where DNS is not asked. */
@Injectable()
export class HostnameTargets implements DnsTargets {
  readonly names: readonly string[];
  readonly addresses: readonly string[];

  constructor(
    @Inject(CONFIG)
    {
      hostnameDnsCheck,
      hostnameTargets,
      publicUrl,
    }: Pick<Config, 'hostnameDnsCheck' | 'hostnameTargets' | 'publicUrl'>,
  ) {
    const given = hostnameTargets.map((target) => target.toLowerCase());
    const targets = !hostnameDnsCheck ? [] : given.length > 0 ? given : targetsOfListener(publicUrl);
    this.names = targets.filter((target) => isIP(target) === 0);
    this.addresses = targets.filter((target) => isIP(target) !== 0);
  }

  /** True if a hostname is served only once DNS shows that it leads here. */
  get isChecked(): boolean {
    return this.names.length + this.addresses.length > 0;
  }
}
