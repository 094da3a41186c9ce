import { Group, Stack } from '@mantine/core';
import { useState } from 'react';
import { send } from '../../api/client.js';
import { texts } from '../../texts/en.js';
import { serviceTexts } from '../../texts/services.js';
import { Button } from '../../ui/buttons.js';
import { FlagField, TextAreaField, useChange, useText } from '../../ui/forms.js';
import { Note } from '../../ui/screens.js';
import { instructionsDocument, plainInstructions } from './instructions.js';
import { TRANSLATION, translationKey, type Translation, type TranslationPlace } from './queries.js';

const words = serviceTexts.translations.settings;

/** The instructions for engines, the slugs of the pages, whether these say how they were translated, and whether people review them first. */
export function Settings({ translation, place }: Readonly<{ translation: Translation; place: TranslationPlace }>) {
  const { instructions, slugs, readerNote, review } = translation;
  const before = plainInstructions(instructions);
  const text = useText(before ?? '');
  const [translatesSlugs, setTranslatesSlugs] = useState(slugs === 'translate');
  const [tellsReaders, setTellsReaders] = useState(readerNote);
  const [isReviewed, setReviewed] = useState(review);
  const isOther = before !== undefined && text.value !== before;
  const hasOtherSlugs = translatesSlugs !== (slugs === 'translate');
  const save = useChange(
    () =>
      send('put', TRANSLATION, place, {
        instructions: isOther ? instructionsDocument(text.value) : instructions,
        ...(hasOtherSlugs && { slugs: translatesSlugs ? 'translate' : 'keep' }),
        ...(tellsReaders !== readerNote && { readerNote: tellsReaders }),
        ...(isReviewed !== review && { review: isReviewed }),
      }),
    { refresh: translationKey(place), done: words.saved },
  );
  return (
    <form action={() => save.mutate()}>
      <Stack maw={640}>
        {before === undefined ? (
          <Note>{words.richInstructions}</Note>
        ) : (
          <TextAreaField
            {...text}
            label={words.instructions}
            description={words.instructionsHelp}
            minRows={3}
            maxRows={12}
            dir="auto"
          />
        )}
        <FlagField
          label={serviceTexts.translations.slugs}
          description={serviceTexts.translations.slugsHelp}
          checked={translatesSlugs}
          onFlag={setTranslatesSlugs}
        />
        <FlagField
          label={serviceTexts.translations.readerNote}
          description={serviceTexts.translations.readerNoteHelp}
          checked={tellsReaders}
          onFlag={setTellsReaders}
        />
        <FlagField
          label={serviceTexts.translations.review}
          description={serviceTexts.translations.reviewHelp}
          checked={isReviewed}
          onFlag={setReviewed}
        />
        <Group>
          <Button
            label={texts.common.save}
            type="submit"
            disabled={!isOther && !hasOtherSlugs && tellsReaders === readerNote && isReviewed === review}
            loading={save.isPending}
          />
        </Group>
      </Stack>
    </form>
  );
}
