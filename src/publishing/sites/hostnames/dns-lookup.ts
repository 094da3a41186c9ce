import { Resolver } from 'node:dns/promises';
import { Injectable } from '@nestjs/common';
import { codeOf } from '../../../kernel/platform/operator-error.js';
import type { DnsRecords } from '../domain/hostname-status.js';

const TIMEOUT_MS = 2000;
const TRIES = 2;
/** The codes of answers that say that there is no such record, unlike failures. */
const ABSENT = new Set(['ENOTFOUND', 'ENODATA']);

/** Asks the DNS servers of the machine, and not its file of hosts: readers elsewhere do not have that. */
@Injectable()
export class DnsLookup {
  private readonly resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });

  /** `servers` such as `127.0.0.1:53`; those of the machine by default. */
  constructor(servers?: readonly string[]) {
    if (servers) this.resolver.setServers(servers);
  }

  /** The records of a name; throws if no server gives an answer. */
  async recordsOf(name: string): Promise<DnsRecords> {
    const [aliases, addresses] = await Promise.all([found(this.resolver.resolveCname(name)), this.addressesOf(name)]);
    return { aliases, addresses };
  }

  /** The addresses of a name, those of its aliases included; throws if no server gives an answer. */
  async addressesOf(name: string): Promise<string[]> {
    return (await Promise.all([found(this.resolver.resolve4(name)), found(this.resolver.resolve6(name))])).flat();
  }
}

async function found(records: Promise<string[]>): Promise<string[]> {
  try {
    return await records;
  } catch (error) {
    if (ABSENT.has(codeOf(error) ?? '')) return [];
    throw error;
  }
}
