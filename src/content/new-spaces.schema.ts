import { Flag, Free, Id, Nested, OneOf, Text } from '../common/fields.js';
import { LANGUAGE_CODES } from '../common/languages.js';

class ApplyTemplate {
  @Id() id: string;
  @Free({ optional: true, example: { contentRefs: {} } }) params?: object;
}

export class CreateSpace {
  @Text({ optional: true, max: 50, example: 'Handbook' }) title?: string;
  @Text({ optional: true, max: 50, example: '1f4d8' }) emoji?: string;
  @Id({ optional: true, description: 'A collection of the organization' }) parent?: string;
  @OneOf(LANGUAGE_CODES, { optional: true }) language?: string;
  @OneOf(['live', 'locked'], { optional: true, default: 'locked' }) editMode?: 'live' | 'locked';
  @Nested(() => ApplyTemplate, { optional: true }) template?: ApplyTemplate;
  @Free({ optional: true, description: 'The space is one computed page of this source', example: { type: 'builtin:openapi' } }) computedSource?: object;
  @Flag({ optional: true, description: 'Without any page; otherwise the space begins with one empty page' }) empty?: boolean;
}
