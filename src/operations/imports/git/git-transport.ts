import { Injectable } from '@nestjs/common';
import type { HttpClient } from 'isomorphic-git';
import { Outbound } from '../../../kernel/platform/outbound/outbound.js';
import { guardedGitHttp, type GitCredentials } from '../../../authoring/interchange/git/guarded-http.js';
import { readRemote } from '../../../authoring/interchange/git/repository-address.js';

/** The transport for repositories of callers. */
@Injectable()
export class GitTransport {
  /** False only in tests, whose server has no certificate. */
  httpsOnly = true;

  constructor(private readonly outbound: Outbound) {}

  /** Throws `invalid` for an address that does not use https. */
  read(source: string): { readonly url: string; readonly credentials?: GitCredentials } {
    return readRemote(source, this.httpsOnly);
  }

  client(credentials?: GitCredentials): HttpClient {
    return guardedGitHttp(this.outbound, { httpsOnly: this.httpsOnly, ...(credentials && { credentials }) });
  }
}
