import { Injectable } from '@nestjs/common';
import type { SpaceAccess } from '../../kernel/access/access.service.js';
import { Addresses } from '../../kernel/common/addresses.js';
import { invalid } from '../../kernel/common/errors.js';
import type { Document } from '../../formats/document/types.js';
import { ContentLines, requestPoint } from '../content/content-lines.js';
import { type BodyFormat, DocumentBodies } from '../content/document-bodies.js';
import { presentChangeRequest, type ChangeRequestBody } from './change-request.schema.js';
import { ChangeRequestStore } from './change-request-store.js';
import type { UpdateChangeRequest } from './change-requests.schema.js';

/** Descriptions of change requests: stored as documents, read and written as Markdown too. */
@Injectable()
export class RequestDescriptions {
  constructor(
    private readonly store: ChangeRequestStore,
    private readonly lines: ContentLines,
    private readonly bodies: DocumentBodies,
    private readonly addresses: Addresses,
  ) {}

  /** Returns a change request by id or number, with its description as Markdown if that is asked for; throws `notFound`. */
  async shown(space: SpaceAccess, idOrNumber: string, format: BodyFormat): Promise<ChangeRequestBody> {
    const row = await this.store.get(space.id, idOrNumber);
    const body = presentChangeRequest(row, space, this.addresses);
    if (row.description === null || format === 'document') return body;
    const point = requestPoint(await this.lines.request(space.id, row.id), space.hiddenPages);
    const [shown] = await this.bodies.show(point, [row.description], format);
    return Object.assign(body, shown && 'markdown' in shown && { descriptionMarkdown: shown.markdown });
  }

  /** The document that the body of an update gives; throws `invalid` for Markdown that cannot be read. */
  async read(
    { id, hiddenPages }: SpaceAccess,
    idOrNumber: string,
    description: UpdateChangeRequest['description'],
  ): Promise<{ readonly description?: Document }> {
    if (description === undefined) return {};
    if (!('markdown' in description)) return { description };
    const { markdown } = description;
    if (typeof markdown !== 'string') throw invalid('description.markdown', 'must be a text');
    const point = requestPoint(await this.lines.request(id, idOrNumber), hiddenPages);
    return { description: await this.bodies.read(point, { markdown }, 'description') };
  }
}
