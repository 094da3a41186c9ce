import { Id, Nested, Text } from '../../../kernel/common/fields.js';
import { MAX_QUESTION } from '../../../authoring/answers/answers.service.js';
import { SiteSearchScope } from '../search/site-search.schema.js';

const MAX_GOAL = 1024;

class QuestionContext {
  @Id({
    optional: true,
    description: 'Site space that whoever asks reads: searched with those at the roots of the sections',
  })
  siteSpaceId?: string;
  @Text({
    optional: true,
    max: MAX_GOAL,
    description:
      'The aim behind the question: used where the question alone is not answered, and given to the language model',
    example: 'Move our handbook to this service',
  })
  goal?: string;
}

export class AskSite {
  @Text({ min: 1, max: MAX_QUESTION, description: 'A question, or words', example: 'How do I install it?' })
  question: string;
  @Nested(() => QuestionContext, { optional: true })
  context?: QuestionContext;
  @Nested(() => SiteSearchScope, { example: { mode: 'default' }, description: 'The site spaces to answer from' })
  scope: SiteSearchScope;
}

export class SiteQuestionsQuery {
  @Id({ optional: true, description: 'Only questions of this site space' })
  siteSpaceId?: string;
  @Id({ optional: true, description: 'Deprecated: only questions of this space' })
  spaceId?: string;
}
