import type { INestApplicationContext } from '@nestjs/common';
import { Addresses } from '../kernel/common/addresses.js';
import { CONFIG, type Config } from '../kernel/platform/config/config.js';

/** The address that a client on this machine can use for a listener on `host`. */
export function addressOf(host: string, port: number): string {
  const name = ['0.0.0.0', '::', ''].includes(host) ? '127.0.0.1' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

/** Tells services that do not listen the addresses of the server that has the same settings. */
export const announceConfigured = (services: INestApplicationContext): void =>
  announceTo(services.get(Addresses), services.get<Config>(CONFIG));

/** The same for addresses alone. */
export function announceTo(addresses: Addresses, config: Config): void {
  const { host, port, publicPort = port + 1, apiUrl, publicUrl, appUrl } = config;
  addresses.announce(apiUrl ?? addressOf(host, port), publicUrl ?? addressOf(host, publicPort), appUrl);
}
