import type { Contribution } from '../../kernel/platform/manifest/contribution.js';
import { TRANSLATION_EDITS } from '../../authoring/content/translation-edits.js';
import { TRANSFER_OBSTACLES } from '../../workspace/spaces/spaces.points.js';
import { TRANSLATED_SPACES } from '../../workspace/spaces/translated-spaces.js';
import { EditedTranslations } from './segments/edited-translations.service.js';

export const TRANSLATIONS_CONTRIBUTIONS: readonly Contribution[] = [
  TRANSLATION_EDITS.with(EditedTranslations),
  TRANSLATED_SPACES.with((space) => `EXISTS (SELECT FROM translation t WHERE t.result_space_id = ${space})`),
  TRANSFER_OBSTACLES.with(async (database, spaceIds) =>
    (await database.one(
      'SELECT FROM translation WHERE source_space_id = ANY ($1) OR result_space_id = ANY ($1) LIMIT 1',
      [spaceIds],
    ))
      ? 'The space, or one within the collection, is translated or a translation: delete the translation first'
      : undefined,
  ),
];
