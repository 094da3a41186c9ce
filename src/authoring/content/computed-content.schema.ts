import { Free, Nested, Text } from '../../kernel/common/fields.js';
import { FileBody, MAX_CHILDREN, PageBody, ReusableContentBody } from './content.schema.js';

const DEPENDENCIES = { spec: { ref: { kind: 'openapi', spec: 'billing-api' } } };
const SEED = {
  min: 1,
  max: 100,
  description:
    'Ids are made from it: equal ones for equal sources and seeds. The id of a computed page gives the ids of its pages',
  example: 'AbCdEfGh0123456789Xy',
};

export class ComputeDocument {
  @Free({
    description: 'A page of a specification, as `computed` of pages shows it',
    example: { type: 'builtin:openapi', props: { doc: 'models' }, dependencies: DEPENDENCIES },
  })
  source: object;
  @Text(SEED) seed: string;
}

export class ComputeRevision {
  @Free({
    description: 'All pages of a specification, as `computed` of computed pages shows it',
    example: { type: 'builtin:openapi', props: { models: true }, dependencies: DEPENDENCIES },
  })
  source: object;
  @Text(SEED) seed: string;
}

export class ComputedRevisionBody {
  @Nested(() => PageBody, { list: true, maxItems: MAX_CHILDREN }) pages: PageBody[];
  @Nested(() => FileBody, { list: true, description: 'Empty: specifications give pages alone', example: [] })
  files: FileBody[];
  @Nested(() => ReusableContentBody, { list: true, description: 'Empty as well', example: [] })
  reusableContents: ReusableContentBody[];
}
