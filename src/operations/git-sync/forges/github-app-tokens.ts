import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { SignJWT } from 'jose';
import { Clock } from '../../../kernel/common/clock.js';
import { isStorableTime } from '../../../kernel/common/storable-time.js';
import { Outbound } from '../../../kernel/platform/outbound/outbound.js';
import { GitTransport } from '../../imports/git/git-transport.js';
import { FORGE_TITLES } from './forge-address.js';
import { ForgeError, RefusedCredentials } from './forge-error.js';
import { ForgeHttp, GITHUB_HEADERS } from './forge-http.js';
import { appKeyOf, type GitHubApp } from './github-app.js';

/** Seconds that the clocks of both servers may differ, and that a token of the app itself is good for: GitHub takes 600. */
const SKEW = 60;
const APP_TOKEN = 540;
/** Milliseconds that a token is good for at least when it is handed out; GitHub makes them for an hour. */
const LEAST_REST = 10 * 60_000;

interface Held {
  readonly token: Promise<string>;
  /** In milliseconds; infinite while it is asked for. */
  until: number;
}

/** The access tokens of installations of GitHub Apps, each of which is used until shortly before its end. */
@Injectable()
export class GitHubAppTokens {
  private readonly held = new Map<string, Held>();

  constructor(
    private readonly outbound: Outbound,
    private readonly transport: GitTransport,
    private readonly clock: Clock,
  ) {}

  /**
   * A token for git and for the API at the address `base`. Callers at the same time wait for the same one. Throws
   * `RefusedCredentials` where GitHub does not let the app in, with what to do.
   */
  tokenOf(app: GitHubApp, base: string): Promise<string> {
    const now = this.clock.now().getTime();
    for (const [key, { until }] of this.held) if (until <= now) this.held.delete(key);
    const key = keyOf(app, base);
    const known = this.held.get(key);
    if (known) return known.token;
    const asked = this.ask(app, base);
    const held: Held = { token: asked.then(({ token }) => token), until: Infinity };
    this.held.set(key, held);
    asked.then(
      ({ until }) => (held.until = until),
      () => this.drop(key, held),
    );
    return held.token;
  }

  /** The next caller gets another token: this one may have been taken back. */
  forget(app: GitHubApp, base: string): void {
    this.held.delete(keyOf(app, base));
  }

  private drop(key: string, held: Held): void {
    if (this.held.get(key) === held) this.held.delete(key);
  }

  private async ask(app: GitHubApp, base: string): Promise<{ readonly token: string; readonly until: number }> {
    const http = new ForgeHttp(this.outbound, {
      title: FORGE_TITLES.github,
      base,
      authorization: `Bearer ${await this.signed(app)}`,
      httpsOnly: this.transport.httpsOnly,
      headers: GITHUB_HEADERS,
    });
    const path = `/app/installations/${app.installationId}/access_tokens`;
    const answer = await http.post(path).catch((error: unknown) => {
      throw error instanceof ForgeError ? (refusal(error, app) ?? error) : error;
    });
    const [token, end = ''] = [answer.text('token'), answer.text('expires_at')];
    if (token === undefined || !isStorableTime(end))
      throw new ForgeError('GitHub sent no token for the app: check the address of the server');
    return { token, until: Date.parse(end) - LEAST_REST };
  }

  private async signed({ appId, privateKey }: GitHubApp): Promise<string> {
    const key = appKeyOf(privateKey);
    if (!key) throw new RefusedCredentials('The private key of the GitHub App cannot be read: give it again');
    const now = Math.floor(this.clock.now().getTime() / 1000);
    return new SignJWT()
      .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
      .setIssuer(appId)
      .setIssuedAt(now - SKEW)
      .setExpirationTime(now + APP_TOKEN)
      .sign(key);
  }
}

function keyOf({ appId, installationId, privateKey }: GitHubApp, base: string): string {
  return createHash('sha256')
    .update(JSON.stringify([base, appId, installationId, privateKey]))
    .digest('base64');
}

/** Undefined for what is no answer about the app. */
function refusal({ answered }: ForgeError, { appId, installationId }: GitHubApp): RefusedCredentials | undefined {
  if (answered === 401)
    return new RefusedCredentials(
      `GitHub does not accept the private key of the app ${appId}: give the id of the app and a key that it has now`,
      answered,
    );
  if (answered === 403)
    return new RefusedCredentials(
      `The installation ${installationId} of the GitHub App is suspended: let its owner unsuspend it`,
      answered,
    );
  if (answered === 404)
    return new RefusedCredentials(
      `The GitHub App ${appId} has no installation ${installationId}: install it on the repository, and give the id of that`,
      answered,
    );
  return undefined;
}
