import { flag, required, whole } from '../../kernel/platform/config/setting-schemas.js';
import { defineModule } from '../../kernel/platform/manifest/manifest.js';

export const answers = defineModule({
  name: 'answers',
  permissions: {
    'organization:ask': {
      least: 'none',
      scope: 'organization:search',
      about: 'Ask questions about all spaces that one may read',
    },
  },
  settingFaults: (values) => required(values, 'llmUrl', 'answersLlm'),
  settings: {
    answersLlm: flag
      .default(false)
      .describe(
        'The language model of LLM_URL writes answers; questions and the passages that may answer them are sent there. Without it answers are passages',
      ),
    answersPerMinute: whole(0, 100_000)
      .default(60)
      .describe('Answers of an organization that the language model writes in a minute; further ones are passages'),
  },
});

declare module '../../kernel/platform/manifest/manifest.js' {
  interface Manifests {
    answers: typeof answers;
  }
}
