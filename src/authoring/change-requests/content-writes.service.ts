import { Injectable } from '@nestjs/common';
import type { SpaceAccess } from '../../kernel/access/access.service.js';
import { Addresses } from '../../kernel/common/addresses.js';
import type { Caller } from '../../kernel/common/context.js';
import { invalid } from '../../kernel/common/errors.js';
import type { ChangeRequestBody } from './change-request.schema.js';
import type { ChangeInput } from '../content/change-input.js';
import type { TouchedPage } from '../content/batch-applier.js';
import { ContentWriter, type WrittenContent } from '../content/content-writer.js';
import { ContentPlaces } from '../content/content-places.js';
import { faultOfAttributes } from '../content/domain/page-attributes.js';
import { FileIntake, type FileUpload } from '../content/file-intake.js';
import { presentFile } from '../content/present-content.js';
import { FileUrls } from '../../kernel/platform/storage/file-urls.js';
import { ChangeRequestStore } from './change-request-store.js';
import type { ContentUpdateBody, PageUpdate, SpaceUpdateBody } from './content-writes.schema.js';

/** Writes content and reports the result. */
@Injectable()
export class ContentWrites {
  constructor(
    private readonly writer: ContentWriter,
    private readonly requests: ChangeRequestStore,
    private readonly files: FileUrls,
    private readonly addresses: Addresses,
    private readonly places: ContentPlaces,
    private readonly intake: FileIntake,
  ) {}

  /** With `compat` the response is the change request, otherwise the effects of the batch on it. */
  async toRequest(
    caller: Caller,
    space: SpaceAccess,
    changeRequest: string,
    changes: readonly ChangeInput[],
    compat: boolean,
  ): Promise<ChangeRequestBody | ContentUpdateBody> {
    requireAttributes(changes);
    const spaceId = space.id;
    const show = (): Promise<ChangeRequestBody> => this.requests.shown(space, changeRequest);
    const after: { shown?: Promise<ChangeRequestBody> } = {};
    const written = await this.writer.write({ spaceId, changeRequest }, changes, {
      caller,
      readAfter: () => (after.shown = show()),
    });
    const body = await (after.shown ?? show());
    return compat
      ? body
      : { changeRequest: body, ...this.present(written, `/spaces/${spaceId}/change-requests/${body.id}`) };
  }

  async toSpace(caller: Caller, space: SpaceAccess, changes: readonly ChangeInput[]): Promise<SpaceUpdateBody> {
    requireAttributes(changes);
    const written = await this.writer.write({ spaceId: space.id }, changes, { caller, seen: space });
    return { revision: written.revisionId, ...this.present(written, `/spaces/${space.id}`) };
  }

  /** Writes a file; throws `invalid`, `notFound` and `tooLarge` before anything of it is stored. */
  async uploadToRequest(
    caller: Caller,
    space: SpaceAccess,
    changeRequestId: string,
    upload: FileUpload,
  ): Promise<ChangeRequestBody | ContentUpdateBody> {
    const { point } = await this.places.at(space, { changeRequestId });
    return this.toRequest(caller, space, changeRequestId, [await this.intake.received(point, upload)], false);
  }

  async uploadToSpace(caller: Caller, space: SpaceAccess, upload: FileUpload): Promise<SpaceUpdateBody> {
    const { point } = await this.places.at(space, {});
    return this.toSpace(caller, space, [await this.intake.received(point, upload)]);
  }

  private present(
    { touched, insertedFiles }: WrittenContent,
    place: string,
  ): Pick<ContentUpdateBody, 'changes' | 'insertedFiles'> {
    return {
      changes: touched.map((page) => this.pageUpdate(page, place)),
      ...(insertedFiles.length > 0 && {
        insertedFiles: insertedFiles.map((file) => presentFile(file, this.files, { metadata: true })),
      }),
    };
  }

  private pageUpdate({ page, change, ref }: TouchedPage, place: string): PageUpdate {
    if (change === 'deleted') return { object: 'deleted_page', page };
    const pointer = {
      object: 'page' as const,
      id: page,
      urls: { location: this.addresses.location(`${place}/content/page/${page}`) },
    };
    return { object: `${change}_page`, ...(ref !== undefined && { ref }), page: pointer };
  }
}

/** Throws `invalid` with the path of the first page attribute that does not have the shape in which it is shown. */
function requireAttributes(changes: readonly ChangeInput[]): void {
  changes.forEach((change, index) => {
    const fault =
      change.operation === 'insert_page' || change.operation === 'update_page' ? faultOfAttributes(change) : undefined;
    if (fault) throw invalid(`changes.${index}.${fault.path}`, fault.message);
  });
}
