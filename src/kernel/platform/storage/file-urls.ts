import { Injectable } from '@nestjs/common';
import { Cache, textBytes } from '../../common/cache.js';
import { Addresses } from '../../common/addresses.js';
import { Clock } from '../../common/clock.js';
import { currentContext } from '../../common/context.js';
import { Secrets } from '../../common/secrets.js';

const HOUR = 3600;
/** Minimum validity of an address in hours. */
const LIFETIME_HOURS = 24;
const VERSION_LENGTH = 16;

/** The file that an address names. */
export interface SignedFile {
  readonly id: string;
  readonly name: string;
  /** SHA-256 of the bytes in hexadecimal. */
  readonly hash: string;
}

/** The requested file and bytes, once the signature has been checked. */
export interface FileRequest {
  readonly id: string;
  /** The beginning of the hash of the bytes. */
  readonly version: string;
  /** Seconds since 1970. */
  readonly expires: number;
  /** The site whose addresses alone may load it. */
  readonly site: string | undefined;
}

/** Hours since 1970. Addresses of files change with it, so ETags of responses that contain them must, too. */
export function hourBucket(now: Date): number {
  return Math.floor(now.getTime() / 1000 / HOUR);
}

/** The time until which addresses work that are signed within an hour. */
export function endOfAddresses(bucket: number): Date {
  return new Date((bucket + 1 + LIFETIME_HOURS) * HOUR * 1000);
}

/** The beginning of a hash that addresses contain: one address always gives the same bytes. */
function fileVersion(hash: string): string {
  return hash.slice(0, VERSION_LENGTH);
}

/** Signed addresses of files on the public listener, which expire between 24 and 25 hours after signing. */
@Injectable()
export class FileUrls {
  private readonly signatures = new Cache<string>({ share: 2, weigh: textBytes });

  constructor(
    private readonly secrets: Secrets,
    private readonly addresses: Addresses,
    private readonly clock: Clock,
  ) {}

  /**
   * Returns the same address for all calls within an hour. With a site, usually that of the visitor who makes the
   * request, it is good from where that site lets visitors in.
   */
  sign(file: SignedFile, site = currentContext()?.filesOf): string {
    const version = fileVersion(file.hash);
    const expires = endOfAddresses(hourBucket(this.clock.now())).getTime() / 1000;
    const signature = this.signatureOf(signedText(file.id, version, expires, site));
    return this.addresses.published(
      `/~files/${file.id}/${segmentOf(file.name)}?v=${version}&expires=${expires}${site === undefined ? '' : `&site=${site}`}&signature=${signature}`,
    );
  }

  /** A signature costs more than all else of a list of files. */
  private signatureOf(text: string): string {
    const known = this.signatures.get(text);
    if (known !== undefined) return known;
    const made = this.secrets.sign('file-url', text);
    this.signatures.set(text, made);
    return made;
  }

  /** The address of a public file. It needs no signature, and changes with the bytes. */
  open(file: SignedFile): string {
    return this.addresses.published(`/~files/${file.id}/${segmentOf(file.name)}?v=${fileVersion(file.hash)}`);
  }

  /**
   * Verifies path and query of an address and returns the requested file; undefined if the address was changed, made
   * elsewhere or has expired.
   */
  verify(id: string, query: URLSearchParams): FileRequest | undefined {
    const version = query.get('v') ?? '';
    const expires = Number(query.get('expires'));
    if (!Number.isSafeInteger(expires) || expires * 1000 <= this.clock.now().getTime()) return undefined;
    const site = query.get('site') ?? undefined;
    return this.secrets.verify('file-url', signedText(id, version, expires, site), query.get('signature') ?? '')
      ? { id, version, expires, site }
      : undefined;
  }
}

/** A name as the last segment of a path; `.` and `..` would be treated as folders, however they are encoded. */
function segmentOf(name: string): string {
  return /^\.{1,2}$/.test(name) ? 'file' : encodeURIComponent(name);
}

function signedText(id: string, version: string, expires: number, site: string | undefined): string {
  return [id, version, expires, ...(site === undefined ? [] : [site])].join('\n');
}
