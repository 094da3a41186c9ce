import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { DomainError, notFound } from '../../common/errors.js';
import { ImageVariants } from '../images/image-variants.js';
import { isStill } from '../images/image-candidates.js';
import { FileGate } from './file-gate.js';
import { FileStandIns } from './file-stand-ins.js';
import { FileStorage } from './file-storage.js';
import { FileUrls } from './file-urls.js';
import type { ServedFile } from './served-file.js';
import { rangeOf } from './byte-range.js';
import { webAddress } from '../../common/web-address.js';

const PATH = /^\/~files\/([A-Za-z0-9]{1,40})\/[^/]+$/;
/** Seconds that a public address without a signature may be cached. */
const PUBLIC_MAX_AGE = 300;
/** Seconds for which a cache may send it after that while the service does not answer. */
const PUBLIC_WHILE_AWAY = 86_400;

/** Types that browsers never execute as a document; all others are sent as attachments. */
const INLINE =
  /^(image\/(png|jpeg|gif|webp|avif|bmp|x-icon|heic|apng)|(audio|video)\/[\w.+-]+|font\/[\w.+-]+|text\/(plain|csv|markdown)|application\/(pdf|json|yaml))$/;

/** A file at an address, of which a variant may still be made. */
export interface OpenFile {
  readonly id: string;
  readonly file: ServedFile;
  readonly isProvisional: boolean;
  readonly body: () => Promise<Readable>;
}

/** Finds a file of one owner; `version` is the beginning of the hash of the requested bytes, if any. */
export type FileLookup = (id: string, version: string | undefined) => Promise<ServedFile | undefined>;

/** Serves `/~files/<id>/<name>` on the public listener. Modules that own files register how to find them. */
@Injectable()
export class FileEndpoint {
  private readonly lookups: FileLookup[] = [];

  constructor(
    private readonly storage: FileStorage,
    private readonly urls: FileUrls,
    private readonly gate: FileGate,
    private readonly standIns: FileStandIns,
    private readonly clock: Clock,
    @Inject(ImageVariants) private readonly images: Pick<ImageVariants, 'of'>,
  ) {}

  /** Registers a look-up of files by id; the first that finds one wins. */
  register(lookup: FileLookup): void {
    this.lookups.push(lookup);
  }

  /** Returns whether the request was for a file; throws `DomainError` if it cannot be served. */
  async handle(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    const address = addressOf(request);
    if (!address?.pathname.startsWith('/~files/')) return false;
    const id = PATH.exec(address.pathname)?.[1];
    if (id === undefined) throw notFound('File');
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      throw new DomainError('methodNotAllowed', 'Files can only be read', [], { Allow: 'GET, HEAD' });
    }
    const width = widthOf(address.searchParams);
    const { file, maxAge } = await this.find(id, address.searchParams);
    if (width === undefined || !isStill(file.contentType)) {
      await this.send(file, maxAge, request, response);
      return true;
    }
    response.setHeader('Vary', 'Accept');
    const variant = await this.images.of(id, file, width, request.headers.accept);
    await this.send(variant.file, variant.isProvisional ? 0 : maxAge, request, response);
    return true;
  }

  /**
   * Reads the file that everybody gets at an address of this listener, if it has at most `maxBytes`; undefined for one
   * that is larger, and for any other address. Throws `DomainError` if there is no such file.
   */
  async read({ pathname, searchParams }: URL, maxBytes: number): Promise<Buffer | undefined> {
    const id = PATH.exec(pathname)?.[1];
    if (id === undefined) return undefined;
    const { file } = await this.find(id, searchParams);
    return file.size > maxBytes ? undefined : buffer(await this.storage.get(file.hash));
  }

  /**
   * The file that everybody gets at an address of this listener; of an image that has a width, the variant in one of the
   * types that `accept` names. Undefined for any other address, and where there is no such file.
   */
  async open({ pathname, searchParams }: URL, accept: string): Promise<OpenFile | undefined> {
    const id = PATH.exec(pathname)?.[1];
    if (id === undefined) return undefined;
    const found = await this.find(id, searchParams).catch((error: unknown) => {
      if (error instanceof DomainError) return undefined;
      throw error;
    });
    if (!found) return undefined;
    const width = widthOf(searchParams);
    const { file, isProvisional } =
      width !== undefined && isStill(found.file.contentType)
        ? await this.images.of(id, found.file, width, accept)
        : { file: found.file, isProvisional: false };
    return { id, file, isProvisional, body: () => this.storage.get(file.hash) };
  }

  /** Returns the file and the seconds for which its bytes may be cached. */
  private async find(id: string, query: URLSearchParams): Promise<{ file: ServedFile; maxAge: number | undefined }> {
    const signed = query.has('signature') ? this.urls.verify(id, query) : undefined;
    // Checked before anything is looked up, so that the response does not depend on what exists.
    if (query.has('signature') && !signed)
      throw new DomainError('forbidden', 'The address of this file has expired or was changed');
    await this.gate.pass(signed?.site);
    const version = signed?.version;
    const file = await this.standIns.of(`${id} ${version ?? ''}`, () => this.lookUp(id, version));
    if (!file) throw notFound('File');
    return { file, maxAge: signed && signed.expires - Math.ceil(this.clock.now().getTime() / 1000) };
  }

  /** The file at a signed address of these bytes, or, without a version, the one that is public. */
  private async lookUp(id: string, version: string | undefined): Promise<ServedFile | undefined> {
    for (const lookup of this.lookups) {
      const file = await lookup(id, version);
      if (file && (version === undefined ? file.visibility === 'public' : file.hash.startsWith(version))) return file;
    }
    return undefined;
  }

  /**
   * Sends a file after its permission was checked; `maxAge` is the time in seconds for which its bytes may be cached, 0
   * if its address will have others soon, undefined for public ones.
   */
  async send(
    file: ServedFile,
    maxAge: number | undefined,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const etag = `"${file.hash.slice(0, 32)}"`;
    response.setHeader('ETag', etag);
    response.setHeader(
      'Cache-Control',
      maxAge === undefined
        ? `public, max-age=${PUBLIC_MAX_AGE}, stale-if-error=${PUBLIC_WHILE_AWAY}`
        : maxAge === 0
          ? 'no-store'
          : `private, max-age=${maxAge}, immutable`,
    );
    describe(file, response);
    if (matches(request.headers['if-none-match'], etag)) {
      response.writeHead(304).end();
      return;
    }
    const conditional = request.headers['if-range'];
    const range =
      conditional === undefined || conditional === etag ? rangeOf(request.headers.range, file.size) : undefined;
    if (range === 'unsatisfiable') {
      response.writeHead(416, { 'Content-Range': `bytes */${file.size}`, 'Content-Length': 0 }).end();
      return;
    }
    if (range) response.setHeader('Content-Range', `bytes ${range.first}-${range.last}/${file.size}`);
    response.setHeader('Content-Length', range ? range.last - range.first + 1 : file.size);
    const body = request.method === 'HEAD' || file.size === 0 ? undefined : await this.storage.get(file.hash, range);
    response.statusCode = range ? 206 : 200;
    if (body) await pipeline(body, response);
    else response.end();
  }
}

/** The width in pixels of the wanted variant of an image; undefined for the file itself. */
function widthOf(query: URLSearchParams): number | undefined {
  const width = query.get('width');
  if (width === null) return undefined;
  if (!/^[1-9]\d{0,4}$/.test(width))
    throw new DomainError('invalid', 'width: must be a number of pixels from 1 to 99999', [
      { path: 'width', message: 'must be a number of pixels from 1 to 99999' },
    ]);
  return Number(width);
}

/** Undefined for an invalid address; two slashes at its beginning would name another host. */
function addressOf({ url = '/' }: IncomingMessage): URL | undefined {
  return url.startsWith('//') ? undefined : webAddress(url, 'http://localhost');
}

function describe(file: ServedFile, response: ServerResponse): void {
  const type = file.contentType.toLowerCase();
  response.setHeader(
    'Content-Type',
    /^text\/|^application\/(json|yaml|xml|xhtml\+xml)$|^image\/svg/.test(type) ? `${type}; charset=utf-8` : type,
  );
  response.setHeader(
    'Content-Disposition',
    `${INLINE.test(type) ? 'inline' : 'attachment'}; ${fileNameParameters(file.name)}`,
  );
  // Browsers show PDF with a plug-in, which a sandbox forbids.
  response.setHeader(
    'Content-Security-Policy',
    `default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; media-src 'self'${type === 'application/pdf' ? '' : '; sandbox'}`,
  );
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
  response.setHeader('Access-Control-Allow-Origin', '*');
  response.setHeader('Accept-Ranges', 'bytes');
}

/** The name for old and for new browsers (RFC 6266); no character in it can end the header. */
function fileNameParameters(name: string): string {
  const ascii = name.replace(/[^\x20-\x7e]|["\\%;]/g, '_');
  const encoded = encodeURIComponent(name.replace(/\p{Surrogate}/gu, '_')).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `filename="${ascii}"; filename*=UTF-8''${encoded}`;
}

function matches(header: string | undefined, etag: string): boolean {
  return (
    header !== undefined && header.split(',').some((item) => ['*', etag].includes(item.trim().replace(/^W\//, '')))
  );
}
