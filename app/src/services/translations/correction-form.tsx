import { Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { texts } from '../../texts/en.js';
import { serviceTexts } from '../../texts/services.js';
import { SecondaryButton } from '../../ui/buttons.js';
import { changing, FormDialog, TextAreaField, useText } from '../../ui/forms.js';
import { Note } from '../../ui/screens.js';
import { correctSegment, readSegment, type TranslatedSegment, type TranslationPlace } from './queries.js';
import { Match } from './segments.js';

interface CorrectionFormProps {
  readonly segment: TranslatedSegment;
  /** The languages of the source and of the translation. */
  readonly languages: readonly [string, string];
  readonly place: TranslationPlace;
  readonly onClose: () => void;
}

const words = serviceTexts.translations;
const MOST_TARGET = 50_000;

/** Asks what is to be said for a text; a correction that somebody else made meanwhile is not overwritten. */
export function CorrectionForm({ segment, languages, place, onClose }: CorrectionFormProps) {
  const { id, source, match } = segment;
  const target = useText(segment.target);
  const { data: read } = useQuery({
    queryKey: ['segment', id],
    queryFn: () => readSegment(place, id),
    gcTime: 0,
    staleTime: Infinity,
  });
  // Somebody was faster than the list that this one was opened from.
  const isOther = read?.segment !== undefined && read.segment.target !== segment.target;
  const save = changing(() => correctSegment(place, id, { target: target.value }, read?.version), {
    done: words.corrected,
  });
  return (
    <FormDialog
      title={words.correct}
      action={texts.common.save}
      size="lg"
      disabled={target.value.trim() === '' || read === undefined}
      onSubmit={save}
      onClose={onClose}
    >
      <Text size="sm" className="plain-text" dir="auto" lang={languages[0]}>
        {source}
      </Text>
      {match && (
        <>
          <Match match={match} />
          <Group>
            <SecondaryButton label={words.takeFormer} size="xs" onClick={() => target.onText(match.target)} />
          </Group>
        </>
      )}
      {isOther && (
        <Note role="alert">
          {words.correctedMeanwhile} <bdi>{read.segment?.target}</bdi>
        </Note>
      )}
      <TextAreaField
        {...target}
        label={words.target}
        description={words.targetHelp}
        minRows={3}
        maxRows={12}
        maxLength={MOST_TARGET}
        dir="auto"
        lang={languages[1]}
        data-autofocus
      />
    </FormDialog>
  );
}
