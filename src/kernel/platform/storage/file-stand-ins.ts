import { Injectable } from '@nestjs/common';
import { Cache, textBytes } from '../../common/cache.js';
import { infrastructureFaultOf } from '../../common/infrastructure-fault.js';
import type { ServedFile } from './served-file.js';

/** Tells whether what was found of an organization may still be sent while the database cannot be asked. */
type Holds = (organizationId: string) => boolean;

interface KnownFile {
  readonly file: ServedFile;
  readonly organizationId: string;
  readonly holds: Holds;
}

/** The rule of a layer above: the moment of whatever is read from now on, and whether what was read then may stand in. */
export interface StandInRule<Moment> {
  now(): Moment;
  mayStandIn(organizationId: string, read: Moment): boolean;
}

/** Bytes of a file beside its texts. */
const BYTES_OF_FILE = 200;

/**
 * Files that were found before, for requests that come while the database cannot be asked, so that the pages that a site
 * goes on showing have their images. A layer above decides for how long; until it has registered its rule, none stands in.
 */
@Injectable()
export class FileStandIns {
  private since: () => Holds = () => () => false;
  private readonly known = new Cache<KnownFile>({
    share: 1,
    weigh: ({ file }) => textBytes(file.name) + BYTES_OF_FILE,
  });

  decideBy<Moment>(rule: StandInRule<Moment>): void {
    this.since = () => {
      const read = rule.now();
      return (organizationId) => rule.mayStandIn(organizationId, read);
    };
  }

  /** The file that `ask` finds, or the one that it found for this key before if the database is away. */
  async of(key: string, ask: () => Promise<ServedFile | undefined>): Promise<ServedFile | undefined> {
    const holds = this.since();
    try {
      const file = await ask();
      if (file?.organizationId === undefined) this.known.delete(key);
      else this.known.set(key, { file, organizationId: file.organizationId, holds });
      return file;
    } catch (error) {
      const known = this.known.get(key);
      if (known?.holds(known.organizationId) && infrastructureFaultOf(error)) return known.file;
      throw error;
    }
  }
}
