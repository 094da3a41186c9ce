import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../config/config.js';
import type { CheckFinding, HealthCheck } from './health-checks.points.js';
import { certificateFinding, nameFinding } from './own-addresses.js';

const SETTINGS = { apiUrl: 'API_URL', publicUrl: 'PUBLIC_URL', appUrl: 'APP_URL' } as const;

type Addresses = Pick<Config, keyof typeof SETTINGS>;

/** The configured addresses of the installation, with their settings. */
const configured = (config: Addresses): { readonly setting: string; readonly address: string }[] =>
  Object.entries(SETTINGS).flatMap(([name, setting]) => {
    const address = config[name as keyof Addresses];
    return address === undefined ? [] : [{ setting, address }];
  });

/** Checks that the names of the configured addresses resolve. */
@Injectable()
export class OwnAddressesCheck implements HealthCheck {
  readonly group = 'hosts';
  readonly name = 'addresses';

  constructor(@Inject(CONFIG) private readonly config: Addresses) {}

  async run(): Promise<CheckFinding[]> {
    const addresses = configured(this.config);
    if (addresses.length === 0)
      return [{ level: 'ok', message: 'No public address is set: the service is for this machine and its network' }];
    return Promise.all(addresses.map(({ setting, address }) => nameFinding(setting, address)));
  }
}

/** Checks the certificates of the configured https addresses. */
@Injectable()
export class OwnCertificatesCheck implements HealthCheck {
  readonly group = 'certificates';
  readonly name = 'certificates';

  constructor(@Inject(CONFIG) private readonly config: Addresses) {}

  async run(): Promise<CheckFinding[]> {
    const origins = new Set(configured(this.config).map(({ address }) => new URL(address).origin));
    const secure = [...origins].filter((origin) => origin.startsWith('https:'));
    if (secure.length === 0) return [{ level: 'ok', message: 'No https address is set' }];
    return Promise.all(secure.map(certificateFinding));
  }
}
