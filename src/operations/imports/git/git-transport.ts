import { Injectable } from '@nestjs/common';
import type { HttpClient } from 'isomorphic-git';
import { Outbound } from '../../../kernel/platform/outbound/outbound.js';
import { guardedGitHttp, type GitCredentials } from '../../../authoring/interchange/git/guarded-http.js';
import { guardedGitSsh, hostKeyOf, type SshAccess } from '../../../authoring/interchange/git/guarded-ssh.js';
import { readRemote } from '../../../authoring/interchange/git/repository-address.js';
import { readSshAddress } from '../../../authoring/interchange/git/ssh-address.js';

/** The credentials of a caller at a repository. */
export type GitAccess = GitCredentials | SshAccess;

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

  /** Like `read`, and takes addresses by SSH as well. */
  readAny(source: string): ReturnType<GitTransport['read']> {
    const url = readSshAddress(source);
    return url === undefined ? readRemote(source, this.httpsOnly, 'https or ssh') : { url };
  }

  isSsh(url: string): boolean {
    return readSshAddress(url) !== undefined;
  }

  /** The key that the server of an address by SSH shows. */
  hostKeyOf(url: string): Promise<string> {
    return hostKeyOf(this.outbound, url);
  }

  client(url: string, access?: GitAccess): HttpClient {
    if (access !== undefined && 'privateKey' in access) return guardedGitSsh(this.outbound, url, access);
    return guardedGitHttp(this.outbound, { httpsOnly: this.httpsOnly, ...(access && { credentials: access }) });
  }
}
