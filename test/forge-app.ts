import { createHash, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { errors, jwtVerify } from 'jose';
import type { ForgeReply } from './forge.js';

const HOUR = 3_600_000;

/** A GitHub App, and its installation on the account of a forge, as the schemas of GitHub describe them. */
export class ForgeApp {
  readonly id = 123456;
  readonly installationId = 987654;
  isSuspended = false;
  /** Milliseconds since 1970; undefined for the time of the machine. */
  now: number | undefined;
  /** The tokens that were handed out and not taken back, each with its end. */
  readonly tokens = new Map<string, number>();
  made = 0;
  private publicKey: KeyObject | undefined;

  /** A new key, as PEM of PKCS #1; the former one is no longer accepted. */
  renewKey(): string {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    this.publicKey = publicKey;
    return privateKey.export({ type: 'pkcs1', format: 'pem' }).toString();
  }

  knows(token: string): boolean {
    return !this.isSuspended && (this.tokens.get(token) ?? 0) > this.time;
  }

  /** Answers a request with a token of the app itself for a token of its installation. */
  async answer(path: string, authorization: string): Promise<ForgeReply> {
    if (!(await this.isSigned(authorization.replace(/^Bearer /, ''))))
      return { status: 401, body: { message: 'A JSON web token could not be decoded' } };
    if (path !== `/app/installations/${this.installationId}/access_tokens`)
      return { status: 404, body: { message: 'Not Found' } };
    if (this.isSuspended) return { status: 403, body: { message: 'This installation has been suspended' } };
    const token = `ghs_${createHash('sha256').update(String(this.made++)).digest('hex').slice(0, 36)}`;
    this.tokens.set(token, this.time + HOUR);
    return {
      status: 201,
      body: {
        token,
        expires_at: new Date(this.time + HOUR).toISOString().replace(/\.\d+/, ''),
        permissions: { contents: 'write', metadata: 'read', pull_requests: 'write', statuses: 'write' },
        repository_selection: 'all',
      },
    };
  }

  private get time(): number {
    return this.now ?? Date.now();
  }

  /** GitHub takes RS256 alone, a time of issue that is past, and an end within 10 minutes. */
  private async isSigned(token: string): Promise<boolean> {
    if (!this.publicKey) return false;
    const currentDate = new Date(this.time);
    try {
      const { payload } = await jwtVerify(token, this.publicKey, {
        algorithms: ['RS256'],
        issuer: String(this.id),
        requiredClaims: ['iat', 'exp'],
        currentDate,
      });
      const now = this.time / 1000;
      return (payload.iat ?? Infinity) <= now && (payload.exp ?? Infinity) <= now + 600;
    } catch (error) {
      if (error instanceof errors.JOSEError) return false;
      throw error;
    }
  }
}
