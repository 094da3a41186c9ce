import type { Contribution } from '../../kernel/platform/manifest/contribution.js';
import { TRANSLATED_SPACES } from '../../workspace/spaces/translated-spaces.js';

export const TRANSLATIONS_CONTRIBUTIONS: readonly Contribution[] = [
  TRANSLATED_SPACES.with((space) => `EXISTS (SELECT FROM translation t WHERE t.result_space_id = ${space})`),
];
