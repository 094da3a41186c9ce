import type { UsedVersions } from '../../../authoring/content/computed-pages.js';
import { hourBucket } from '../../../kernel/platform/storage/file-urls.js';
import { HtmlBody } from './html-body.js';
import type { HttpResponse } from './http-response.js';
import type { UsedVerification } from './shown-verifications.js';

/** A page as a complete response, and what it follows from beside the site and its own space. */
export interface PageToKeep {
  readonly answer: HttpResponse;
  /** The used state of other spaces, as in `References.used`. */
  readonly used: ReadonlyMap<string, string>;
  readonly specifications: UsedVersions;
  /** Absent where the site says nothing of verifications. */
  readonly verification: UsedVerification | undefined;
  /** The hour of the signed addresses in it. */
  readonly bucket: number | undefined;
  /** True if rendering it again may improve it. */
  readonly isProvisional: boolean;
}

/** A page with the revision of its space of which it is known to be the page. */
export interface StoredPage extends PageToKeep {
  readonly revisionId: string;
  readonly sequence: number;
  readonly madeAt: Date;
}

/** Tells whether time alone has left a page what it is: its signed addresses are valid, and what it says of a verification holds. */
export function isOfItsTime(
  { bucket, verification, madeAt }: Omit<StoredPage, 'revisionId' | 'sequence'>,
  now: Date,
): boolean {
  const until = verification?.shown?.until;
  return (
    (bucket === undefined || bucket === hourBucket(now)) &&
    // A verification that was over when the page was made has not begun again, unless the clock was set back.
    (verification === undefined || (now >= madeAt && (until === undefined || until > now)))
  );
}

/** The facts of a stored page beside the bytes of its HTML, as JSON. */
type Facts = Pick<StoredPage, 'revisionId' | 'sequence' | 'bucket'> & {
  readonly state: string;
  readonly madeAt: string;
  readonly answer: Omit<StoredPage['answer'], 'body'>;
  readonly used: readonly [string, string][];
  readonly specifications: readonly [string, string | null][];
  readonly verification:
    { readonly spaceId: string; readonly pageId: string; readonly owner?: string; readonly until?: string } | undefined;
  readonly html: { readonly start: readonly string[]; readonly etag: string; readonly length: number };
  /** Bytes of the two compressed forms; 0 where one is absent. */
  readonly deflated: number;
  readonly brotli: number;
};

const LENGTH_BYTES = 4;

/** A page with its HTML in the forms that were made: the length of its facts, the facts, and the compressed forms. */
export async function encodePage(page: StoredPage, body: HtmlBody, state: string): Promise<Buffer[]> {
  const { body: _body, ...answer } = page.answer;
  const { deflated, brotli, ...html } = await body.pack();
  const { revisionId, sequence, bucket, verification } = page;
  const facts: Facts = {
    state,
    revisionId,
    sequence,
    bucket,
    madeAt: page.madeAt.toISOString(),
    answer,
    used: [...page.used],
    specifications: [...page.specifications],
    verification: verification && {
      spaceId: verification.spaceId,
      pageId: verification.pageId,
      ...(verification.shown && { owner: verification.shown.owner, until: verification.shown.until.toISOString() }),
    },
    html,
    deflated: deflated.length,
    brotli: brotli?.length ?? 0,
  };
  const json = Buffer.from(JSON.stringify(facts));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32LE(json.length);
  return [length, json, deflated, ...(brotli ? [brotli] : [])];
}

/** The page in bytes of `encodePage`; undefined if it follows from another state. */
export function decodePage(bytes: Buffer, state: string): StoredPage | undefined {
  const end = LENGTH_BYTES + bytes.readUInt32LE();
  const facts = JSON.parse(bytes.toString('utf8', LENGTH_BYTES, end)) as Facts;
  if (facts.state !== state) return undefined;
  const { revisionId, sequence, bucket, verification, html } = facts;
  const middle = end + facts.deflated;
  const body = new HtmlBody({
    ...html,
    deflated: bytes.subarray(end, middle),
    ...(facts.brotli > 0 && { brotli: bytes.subarray(middle, middle + facts.brotli) }),
  });
  return {
    revisionId,
    sequence,
    bucket,
    madeAt: new Date(facts.madeAt),
    answer: { ...facts.answer, body },
    used: new Map(facts.used),
    specifications: new Map(facts.specifications),
    verification: verification && {
      spaceId: verification.spaceId,
      pageId: verification.pageId,
      shown:
        verification.owner === undefined || verification.until === undefined
          ? undefined
          : { owner: verification.owner, until: new Date(verification.until) },
    },
    isProvisional: false,
  };
}
