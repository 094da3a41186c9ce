import { Amount, Flag, Free } from '../../kernel/common/fields.js';

export class ChangesQuery {
  @Amount({
    optional: true,
    query: true,
    min: 0,
    max: 1000,
    description: 'Changes shown at most, 10 when omitted',
    example: 10,
  })
  limit: number = 10;
}

export class RevisionChangesQuery extends ChangesQuery {
  @Flag({
    optional: true,
    query: true,
    default: true,
    description: 'false leaves out pages of which only the facts of git changed',
  })
  metadata: boolean = true;
  @Flag({ optional: true, query: true, default: true, description: 'false leaves computed content uncomputed' })
  computed: boolean = true;
}

export class ChangesBody {
  @Free({
    optional: true,
    description: 'The change request whose merge made the revision',
    example: { object: 'change-request' },
  })
  mergedFrom?: object;
  @Free({
    list: true,
    example: [
      {
        type: 'page_created',
        page: { id: 'AbCdEfGh0123456789Xy', type: 'document', title: 'Installation', path: 'installation' },
      },
    ],
  })
  changes: readonly object[];
  @Amount({ optional: true, min: 1, description: 'Changes that `limit` left out' }) more?: number;
}
