import { Flag, Id, Text } from '../../../kernel/common/fields.js';

export class ExportArchiveQuery {
  @Id({
    optional: true,
    description: 'The content of this change request, by id or number, instead of the primary one',
  })
  changeRequest?: string;
}

export class PushArchiveQuery {
  @Id({ description: 'The revision that the folder was changed from: that of the export that it comes from' })
  base: string;
  @Text({
    optional: true,
    min: 1,
    max: 100,
    description: 'The message of the revision, and the subject of a change request that is made; `Push` without it',
    example: 'Explain the kiln',
  })
  subject?: string;
  @Flag({
    optional: true,
    query: true,
    default: false,
    description: 'Into a new change request, even where the caller may write to the primary content',
  })
  review?: boolean;
  @Id({
    optional: true,
    description: 'Into this change request, by id or number, which must still be at the revision `base`',
  })
  changeRequest?: string;
}
