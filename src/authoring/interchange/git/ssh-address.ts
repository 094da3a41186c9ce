import { invalid } from '../../../kernel/common/errors.js';

const PORT = 22;
/** `user@host:path`, in which the path begins at the home of the user. */
const SHORT = /^([\w.-]+)@([\w.-]+):(?!\/\/)(.+)$/;
const LONG = /^ssh:\/\/([\w.-]+)@([\w.-]+|\[[0-9a-fA-F:]+\])(?::(\d{1,5}))?\/(.+)$/;
const HOME = '~/';

/** A repository on a server that is reached by SSH. */
export interface SshTarget {
  readonly user: string;
  readonly host: string;
  readonly port: number;
  readonly path: string;
}

/**
 * The address of a repository by SSH as `ssh://user@host:port/path`, in which `/~/` leads to the home of the user; undefined
 * for an address of another kind. Throws `invalid` for one that cannot be read.
 */
export function readSshAddress(source: string): string | undefined {
  const short = SHORT.exec(source);
  if (!short && !/^ssh:/i.test(source)) return undefined;
  const [, user = '', host = '', path = ''] = short ?? [];
  const begin = path.startsWith('/') ? '' : `/${HOME}`;
  const url = (short ? `ssh://${user}@${host}${begin}${path}` : source).replace(/\/+$/, '');
  sshTarget(url);
  return url;
}

/** Reads what `readSshAddress` gives. */
export function sshTarget(url: string): SshTarget {
  const [, user, host, port, path] = LONG.exec(url) ?? [];
  if (user === undefined || host === undefined || path === undefined || /\p{Cc}/u.test(path))
    throw invalid('url', 'must be ssh://user@host/path or user@host:path');
  const place = path.startsWith(HOME) ? path.slice(HOME.length) : `/${path}`;
  if (place.startsWith('-') || Number(port ?? PORT) > 65_535)
    throw invalid('url', 'is not the address of a repository');
  return { user, host: host.replace(/^\[|\]$/g, ''), port: Number(port ?? PORT), path: place };
}

/** The address by which git's client over HTTP is called, whose requests another transport answers. */
export function transportUrl(url: string): string {
  return url.replace(/^ssh:\/\/[^@]*@/, 'https://');
}
