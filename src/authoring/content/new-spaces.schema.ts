import { Flag, Free, Id, OneOf, Text } from '../../kernel/common/fields.js';
import { LANGUAGE_CODES } from '../../kernel/common/languages.js';
import { COMPUTED_EXAMPLE } from './content-write.schema.js';

/** The settings of a new space, beside an optional template. */
export class NewSpace {
  @Text({ optional: true, max: 50, example: 'Handbook' }) title?: string;
  @Text({ optional: true, max: 50, example: '1f4d8' }) emoji?: string;
  @Id({ optional: true, description: 'A collection of the organization' }) parent?: string;
  @OneOf(LANGUAGE_CODES, { optional: true }) language?: string;
  @OneOf(['live', 'locked'], { optional: true, default: 'locked' }) editMode?: 'live' | 'locked';
  @Free({ optional: true, description: 'The space is one computed page of this source', example: COMPUTED_EXAMPLE })
  computedSource?: object;
  @Flag({ optional: true, description: 'Without any page; otherwise the space begins with one empty page' })
  empty?: boolean;
}
