import { Id, Nested, OneOf } from '../../kernel/common/fields.js';

class SectionPointer {
  @OneOf(['site-section'])
  type: 'site-section';
  @Id()
  siteSection: string;
}

class SectionPosition {
  @Nested(() => SectionPointer, { optional: true })
  before?: SectionPointer;
  @Nested(() => SectionPointer, { optional: true })
  after?: SectionPointer;
}

export class MoveSection {
  @Nested(() => SectionPosition, { optional: true, description: 'The end of the list when omitted' })
  position?: SectionPosition;
}

class SiteSpacePointer {
  @OneOf(['site-space'])
  type: 'site-space';
  @Id()
  siteSpace: string;
}

class SiteSpacePosition {
  @Nested(() => SiteSpacePointer, { optional: true })
  before?: SiteSpacePointer;
  @Nested(() => SiteSpacePointer, { optional: true })
  after?: SiteSpacePointer;
}

export class MoveSiteSpace {
  @Nested(() => SiteSpacePosition, { optional: true, description: 'The end of the list when omitted' })
  position?: SiteSpacePosition;
}
