import { buffer } from 'node:stream/consumers';
import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { resumed } from '../../common/context.js';
import { Database } from '../../common/database.js';
import { Cache } from '../../common/cache.js';
import { stackOf } from '../../common/errors.js';
import { infrastructureFaultOf } from '../../common/infrastructure-fault.js';
import { Blobs } from '../storage/blobs.js';
import { FileStorage } from '../storage/file-storage.js';
import { TaskLimitExceeded, WorkerPool } from '../workers/worker-pool.js';
import { isStill, VARIANT_WIDTHS, type StillType } from './image-candidates.js';
import { RESIZE_IMAGE, type VariantFormat } from './image-tasks.js';

/** Bytes of the largest file that is converted. */
const MOST_BYTES = 20 * 1024 ** 2;
/** Milliseconds that a request waits for a variant that is not there yet. */
const PATIENCE = 8000;
const BYTES_OF_ROW = 100;

/** The part of a file that its variants share or change. */
export interface ImageFile {
  /** SHA-256 of the bytes in hexadecimal. */
  readonly hash: string;
  readonly name: string;
  readonly contentType: string;
  readonly size: number;
}

interface Wanted {
  readonly id: string;
  readonly file: ImageFile;
  readonly type: StillType;
  readonly width: number;
  readonly format: VariantFormat;
}

interface Row {
  readonly hash: string | null;
  readonly size: number | null;
}

const FIND = `SELECT encode(hash, 'hex') AS hash, size FROM image_variant
  WHERE file_id = $1 AND source = decode($2, 'hex') AND width = $3 AND format = $4`;
// Another server may have made the same one meanwhile.
const INSERT = `INSERT INTO image_variant (file_id, source, width, format, hash, size, created_at)
  VALUES ($1, decode($2, 'hex'), $3, $4, decode($5, 'hex'), $6, $7) ON CONFLICT DO NOTHING`;

/** Images in other sizes and formats: each is made once, when it is first asked for, and goes with its file. */
@Injectable()
export class ImageVariants {
  private readonly logger = new Logger('Images');
  private readonly beingMade = new Map<string, Promise<Row>>();
  /** Variants never change: those that were found are there while the database is away. */
  private readonly known = new Cache<Row>({ share: 1, weigh: () => BYTES_OF_ROW });

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly storage: FileStorage,
    private readonly blobs: Blobs,
    private readonly workers: WorkerPool,
  ) {}

  /**
   * The smallest variant of at least this width, in the best format of an Accept header; the file itself if there can be
   * none. It is provisional if the variant is still being made, or cannot be looked up.
   */
  async of<File extends ImageFile>(
    id: string,
    file: File,
    width: number,
    accept: string | undefined,
  ): Promise<{ readonly file: File; readonly isProvisional: boolean }> {
    const step = VARIANT_WIDTHS.find((each) => each >= width);
    const format = acceptedFormat(accept);
    const { contentType: type } = file;
    if (step === undefined || format === undefined || !isStill(type) || file.size > MOST_BYTES)
      return { file, isProvisional: false };
    const wanted = { id, file, type, width: step, format };
    const row = await this.find(wanted).catch((error: unknown) => {
      if (infrastructureFaultOf(error)) return this.known.get(keyOf(wanted));
      throw error;
    });
    return { file: row ? shownAs(row, wanted, file) : file, isProvisional: row === undefined };
  }

  /** Undefined if there is none, not even soon enough for this request. */
  private async find(wanted: Wanted): Promise<Row | undefined> {
    const { id, file, width, format } = wanted;
    const found = await this.database.one<Row & Record<string, unknown>>(FIND, [id, file.hash, width, format]);
    const row = found ?? (await this.soon(wanted));
    if (row) this.known.set(keyOf(wanted), row);
    return row;
  }

  /** Undefined if the variant cannot be made, or not soon enough for this request. */
  private async soon(wanted: Wanted): Promise<Row | undefined> {
    const key = keyOf(wanted);
    const making = this.beingMade.get(key) ?? this.make(wanted).finally(() => void this.beingMade.delete(key));
    this.beingMade.set(key, making);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<undefined>((resolve) => (timer = setTimeout(resolve, PATIENCE, undefined)));
    try {
      return await Promise.race([making, late]);
    } catch (error) {
      this.logger.warn(`an image is served as it is: ${stackOf(error)}`);
      return undefined;
    } finally {
      clearTimeout(timer);
      resumed();
    }
  }

  private async make({ id, file, type, width, format }: Wanted): Promise<Row> {
    const made = await this.workers
      .runPrepared(RESIZE_IMAGE, async () => ({ bytes: await this.bytesOf(file), type, width, format }))
      .catch((error: unknown) => {
        if (error instanceof TaskLimitExceeded) return undefined;
        throw error;
      });
    const stored =
      made && made.length < file.size
        ? await this.blobs.store(made, { name: file.name, claimed: `image/${format}` })
        : undefined;
    const row = { hash: stored?.hash ?? null, size: stored?.size ?? null };
    await this.database.execute(INSERT, [id, file.hash, width, format, row.hash, row.size, this.clock.now()]);
    return row;
  }

  private async bytesOf({ hash }: ImageFile): Promise<Uint8Array<ArrayBuffer>> {
    return new Uint8Array(await buffer(await this.storage.get(hash)));
  }
}

const keyOf = ({ id, file, width, format }: Wanted): string => JSON.stringify([id, file.hash, width, format]);

/** Browsers name the formats that they decode; `image/*` alone says nothing of new ones. */
function acceptedFormat(accept = ''): VariantFormat | undefined {
  return (['avif', 'webp'] as const).find((format) =>
    new RegExp(`\\bimage/${format}\\b(?!\\s*;\\s*q=0(?:\\.0*)?\\s*(?:,|$))`, 'i').test(accept),
  );
}

function shownAs<File extends ImageFile>({ hash, size }: Row, { format }: Wanted, file: File): File {
  if (hash === null || size === null) return file;
  return {
    ...file,
    hash,
    size,
    contentType: `image/${format}`,
    name: `${file.name.replace(/\.[^.]*$/, '')}.${format}`,
  };
}
