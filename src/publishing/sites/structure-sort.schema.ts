import { Id, Nested, OneOf } from '../../kernel/common/fields.js';

const TYPES = ['site-space', 'site-section', 'site-section-group', 'site-external-link'] as const;

export class ItemPointer {
  @OneOf(TYPES)
  type: (typeof TYPES)[number];
  @Id()
  id: string;
}

export class ItemPosition {
  @Nested(() => ItemPointer, { optional: true })
  before?: ItemPointer;
  @Nested(() => ItemPointer, { optional: true })
  after?: ItemPointer;
}

const POSITION = { example: { after: { type: 'site-section', id: 'AbCdEfGh0123456789Xy' } } } as const;

export class SortStructure {
  @Nested(() => ItemPointer)
  item: ItemPointer;
  @Nested(() => ItemPosition, {
    ...POSITION,
    description: 'Places it beside another item, in the same parent; at the end when empty',
  })
  position: ItemPosition;
}

export class MoveSectionGroup {
  @Nested(() => ItemPosition, {
    ...POSITION,
    optional: true,
    description: 'Places it beside a section or group, in the same parent; at the end of the site when omitted',
  })
  position?: ItemPosition;
}
