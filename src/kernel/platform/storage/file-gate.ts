import { Injectable } from '@nestjs/common';
import { DomainError } from '../../common/errors.js';

/** Tells whether a site lets in the address of the current request. */
export type SiteGate = (site: string) => Promise<boolean>;

/**
 * Decides from where the addresses of files are good that were made for visitors of a site which is limited to some
 * addresses. Sites belong to a layer above, whose module registers the decision here; without it they are good nowhere.
 */
@Injectable()
export class FileGate {
  private admits: SiteGate = () => Promise.resolve(false);

  decideBy(admits: SiteGate): void {
    this.admits = admits;
  }

  /** Throws `forbidden` for a file of a site that does not let the address of the request in. */
  async pass(site: string | undefined): Promise<void> {
    if (site !== undefined && !(await this.admits(site)))
      throw new DomainError(
        'forbidden',
        'The site of this file is not open to the network from which the request comes',
      );
  }
}
