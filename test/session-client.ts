import { SignInLinks } from '../src/identity/sessions/sign-in-links.service.js';
import { Users } from '../src/identity/users/users.service.js';
import type { TestApp } from './app.js';
import { Client, type Answer, type RequestOptions } from './client.js';

/** A session as its browser is told. */
export interface Session {
  id: string;
  user: { id: string; email: string; displayName: string };
  csrfToken: string;
  organization?: string;
  method: string;
  createdAt: string;
  expiresAt: string;
}

/** The cookie that an answer sets, as browsers send it back; undefined without one. */
export function cookieOf({ headers }: { readonly headers: Headers }): string | undefined {
  const [cookie] = headers.getSetCookie();
  return cookie?.split(';', 1)[0];
}

/** The secret at the end of the address of a sign-in link. */
export const secretOf = (url: string): string => url.split('#').at(-1) ?? '';

/** Headers of a page of the address of the API. */
export const fromOwnPage = (base: string): Record<string, string> => ({ Origin: new URL(base).origin });

/** A page of the workspace in a browser with a session. */
export class SessionClient extends Client {
  constructor(
    base: string,
    readonly cookie: string,
    readonly session: Session,
  ) {
    super(base, undefined);
  }

  override send<Body>(
    method: string,
    path: string,
    body: unknown,
    options: RequestOptions = {},
  ): Promise<Answer<Body>> {
    const headers = { ...fromOwnPage(this.base), Cookie: this.cookie, 'X-CSRF-Token': this.session.csrfToken };
    return super.send<Body>(method, path, body, { ...options, headers: { ...headers, ...options.headers } });
  }
}

/** Signs in with the secret of a link, in a browser that has the given cookie or none. */
export async function signInWith(base: string, secret: string, cookie?: string): Promise<SessionClient> {
  const answer = await new Client(base, undefined).post<Session>(
    '/auth/sessions',
    { secret },
    { headers: { ...fromOwnPage(base), ...(cookie !== undefined && { Cookie: cookie }) } },
  );
  if (answer.status !== 201) throw new Error(`nobody is signed in: ${answer.status} ${JSON.stringify(answer.body)}`);
  return new SessionClient(base, cookieOf(answer) ?? '', answer.body);
}

/** The secret of a link for an account, as the operator makes it. */
export async function linkFor(app: TestApp, userId: string): Promise<string> {
  return secretOf((await app.get(SignInLinks).forUser(await app.get(Users).get(userId))).url);
}

/** A browser in which an account is signed in. */
export async function inSession(app: TestApp, userId: string): Promise<SessionClient> {
  return signInWith(app.url, await linkFor(app, userId));
}
