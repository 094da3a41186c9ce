import type { GitHttpRequest, GitHttpResponse, HttpClient } from 'isomorphic-git';
import type { ClientChannel, ConnectConfig } from 'ssh2';
import { DomainError, invalid } from '../../../kernel/common/errors.js';
import { OutboundError } from '../../../kernel/platform/outbound/outbound-error.js';
import type { Outbound } from '../../../kernel/platform/outbound/outbound.js';
import { inPieces } from './guarded-http.js';
import { sshTarget, type SshTarget } from './ssh-address.js';

const MAX_ANSWER_BYTES = 256 * 1024 ** 2;
const TIMEOUT_MS = 300_000;
const READY_MS = 20_000;
const MAX_COMPLAINT = 500;
const FLUSH = '0000';

/** The key that opens a server, and the key by which the server is known. */
export interface SshAccess {
  /** In the format of OpenSSH. */
  readonly privateKey: string;
  /** The type of the key of the server and its bytes in base64, as in `known_hosts`. */
  readonly hostKey: string;
}

/** A new deploy key: an Ed25519 pair. */
export async function newDeployKey(): Promise<{ readonly publicKey: string; readonly privateKey: string }> {
  const { default: ssh } = await import('ssh2');
  const made = ssh.utils.generateKeyPairSync('ed25519', { comment: 'bindery' });
  return { publicKey: made.public, privateKey: made.private };
}

/** The key that a server shows. Throws `invalid` for one that is not reached. */
export async function hostKeyOf(outbound: Outbound, url: string): Promise<string> {
  let found: string | undefined;
  const see = (key: string): boolean => {
    found = key;
    return false;
  };
  await connected(
    outbound,
    sshTarget(url),
    { hostVerifier: (key: Buffer) => see(keyText(key)) },
    AbortSignal.timeout(READY_MS),
  ).catch((error: unknown) => {
    if (found === undefined) throw error;
  });
  if (found === undefined) throw invalid('url', 'the server shows no key');
  return found;
}

/**
 * Answers the requests of git's client over HTTP by SSH: each is a program of git on the server, which tells of its refs
 * first. Only the checked addresses are dialled, and only the server with the known key is spoken to.
 */
export function guardedGitSsh(outbound: Outbound, url: string, { privateKey, hostKey }: SshAccess): HttpClient {
  const target = sshTarget(url);
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const [type = ''] = hostKey.split(' ');
  let shown: string | undefined;
  const config: ConnectConfig = {
    username: target.user,
    privateKey,
    algorithms: { serverHostKey: type === 'ssh-rsa' ? ['rsa-sha2-512', 'rsa-sha2-256'] : [type as 'ssh-ed25519'] },
    hostVerifier: (key: Buffer) => {
      shown = keyText(key);
      return shown === hostKey;
    },
  };
  const ask = async (service: string, input: Uint8Array | undefined): Promise<Buffer> => {
    try {
      return await run(outbound, target, config, { service, input, signal });
    } catch (error) {
      if (shown !== undefined && shown !== hostKey)
        throw invalid(
          'url',
          'the key of the server is another one than before: if that is right, give the new one as hostKey',
        );
      throw error;
    }
  };
  return {
    request: async ({ url: asked, body }: GitHttpRequest): Promise<GitHttpResponse> => {
      const service = /git-(?:upload|receive)-pack/.exec(asked)?.[0] ?? '';
      const parts: Uint8Array[] = [];
      if (body) for await (const part of body) parts.push(part);
      const answer = await ask(service, body && Buffer.concat(parts));
      const head = `# service=${service}\n`;
      const first = `${(head.length + 4).toString(16).padStart(4, '0')}${head}${FLUSH}`;
      const bytes = body ? answer : Buffer.concat([Buffer.from(first), answer]);
      return {
        url: asked,
        statusCode: 200,
        statusMessage: 'OK',
        headers: { 'content-type': `application/x-${service}-${body ? 'result' : 'advertisement'}` },
        body: inPieces(bytes),
      };
    },
  };
}

interface Asked {
  readonly service: string;
  readonly input: Uint8Array | undefined;
  readonly signal: AbortSignal;
}

/** Runs a program of git: what it tells of its refs, or, with an input, what it answers to that. */
async function run(
  outbound: Outbound,
  target: SshTarget,
  config: ConnectConfig,
  { service, input, signal }: Asked,
): Promise<Buffer> {
  const client = await connected(outbound, target, config, signal);
  try {
    const command = `${service} '${target.path.replaceAll("'", `'\\''`)}'`;
    const channel = await new Promise<ClientChannel>((resolve, reject) =>
      client.exec(command, (error, made) => (error ? reject(unreachable(error)) : resolve(made))),
    );
    return await conversation(channel, input, signal);
  } finally {
    client.end();
  }
}

/** Sends the input once the refs are told, and gives what comes after it; the refs without an input. */
async function conversation(
  channel: ClientChannel,
  input: Uint8Array | undefined,
  signal: AbortSignal,
): Promise<Buffer> {
  const stop = (): void => void channel.destroy();
  signal.addEventListener('abort', stop, { once: true });
  let complaint = '';
  channel.stderr.on(
    'data',
    (chunk: Buffer) => (complaint = (complaint + chunk.toString('utf8')).slice(0, MAX_COMPLAINT)),
  );
  const parts: Buffer[] = [];
  let size = 0;
  const told: Buffer[] = [];
  const refs = new RefsReader();
  for await (const chunk of channel as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_ANSWER_BYTES)
      throw new DomainError('tooLarge', `The repository is too large: more than ${MAX_ANSWER_BYTES} bytes`);
    if (refs.isAtEnd) {
      parts.push(chunk);
      continue;
    }
    const end = refs.read(chunk);
    told.push(chunk.subarray(0, end));
    if (!refs.isAtEnd) continue;
    parts.push(chunk.subarray(end));
    channel.end(input ?? FLUSH);
  }
  signal.removeEventListener('abort', stop);
  signal.throwIfAborted();
  if (!refs.isAtEnd) throw invalid('url', `the server gives no repository: ${complaint.trim() || 'it says nothing'}`);
  return Buffer.concat(input ? parts : told);
}

/** Finds the flush packet that ends the refs, in parts as they come, of which each byte is looked at once. */
class RefsReader {
  isAtEnd = false;
  /** Bytes of the current line that are still to come. */
  private left = 0;
  private length = '';

  /** The bytes of a part that belong to the refs. Throws `invalid` for what is no line of git's protocol. */
  read(part: Buffer): number {
    let at = 0;
    while (at < part.length && !this.isAtEnd) {
      if (this.left > 0) {
        const taken = Math.min(this.left, part.length - at);
        this.left -= taken;
        at += taken;
        continue;
      }
      const digits = part.toString('latin1', at, at + 4 - this.length.length);
      at += digits.length;
      this.length += digits;
      if (this.length.length < 4) break;
      if (!/^[\da-f]{4}$/i.test(this.length)) throw invalid('url', 'the server sent an invalid response');
      const length = Number.parseInt(this.length, 16);
      this.isAtEnd = length === 0;
      this.left = Math.max(0, length - 4);
      this.length = '';
    }
    return at;
  }
}

async function connected(outbound: Outbound, { host, port }: SshTarget, config: ConnectConfig, signal: AbortSignal) {
  const { default: ssh } = await import('ssh2');
  const sock = await outbound.connect(host, port, signal).catch((error: unknown) => {
    throw error instanceof OutboundError ? invalid('url', error.message) : error;
  });
  const client = new ssh.Client();
  return new Promise<InstanceType<typeof ssh.Client>>((resolve, reject) => {
    client.on('error', (error) => {
      sock.destroy();
      reject(unreachable(error));
    });
    client.on('ready', () => resolve(client));
    client.connect({ username: 'git', readyTimeout: READY_MS, ...config, sock });
  });
}

function unreachable(error: Error & { readonly level?: string }): DomainError {
  return error.level === 'client-authentication'
    ? invalid('url', 'the server did not accept the deploy key: add it to the repository, with the right to write')
    : invalid('url', 'the server could not be reached by SSH');
}

/** The key of a server as `known_hosts` has it. */
function keyText(key: Buffer): string {
  return `${key.toString('latin1', 4, 4 + key.readUInt32BE(0))} ${key.toString('base64')}`;
}
