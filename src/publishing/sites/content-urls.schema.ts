import { CollectionBody } from '../../workspace/collections/collections.schema.js';
import { Free, Nested, Url } from '../../kernel/common/fields.js';
import { ChangeRequestBody } from '../../authoring/change-requests/change-request.schema.js';
import { SpaceBody } from '../../workspace/spaces/spaces.schema.js';

export class ContentUrlQuery {
  @Url({
    description: 'An address of the application, or one of a published site',
    example: 'https://docs.example.com/guides/install',
  })
  url: string;
}

/** The target of an address: a collection, or a space and the part of it. */
export class ContentUrlBody {
  @Nested(() => CollectionBody, { optional: true })
  collection?: CollectionBody;
  @Nested(() => SpaceBody, { optional: true })
  space?: SpaceBody;
  @Nested(() => ChangeRequestBody, { optional: true })
  changeRequest?: ChangeRequestBody;
  @Free({
    optional: true,
    description: 'The page with its body, as reads of pages show it',
    example: { type: 'document', title: 'Installation' },
  })
  page?: Record<string, unknown>;
}
