import { FileButton, Group, NumberInput, Stack } from '@mantine/core';
import { useState } from 'react';
import { settingsTexts } from '../../texts/settings.js';
import { SecondaryButton } from '../../ui/buttons.js';
import { NEW_CHOICE, TextField, useFieldFaults } from '../../ui/forms.js';
import { Note } from '../../ui/screens.js';
import { ACCEPTED, uploadFont, type Font } from './queries.js';

const words = settingsTexts.fonts;
const REGULAR = 400;
const BOLD = 700;
const MOST_FACES = 20;
const MOST_FAMILY = 50;
const MOST_WEIGHT = 1000;

interface FaceDraft {
  readonly key: number;
  readonly weight: number;
  /** The file that is to be uploaded; absent for one that is there. */
  readonly file?: File;
}

/** The state of the fields of a font. */
export function useFontFields(font?: Font) {
  const [family, setFamily] = useState(font?.fontFamily ?? '');
  const [faces, setFaces] = useState<readonly FaceDraft[]>(
    () => font?.fontFaces.map(({ weight }, key) => ({ key, weight })) ?? [{ key: 0, weight: REGULAR }],
  );
  const { at, noting } = useFieldFaults();
  const had = new Set(font?.fontFaces.map(({ weight }) => weight));
  const isReady =
    family.trim() !== '' &&
    faces.some(({ weight }) => weight === REGULAR) &&
    new Set(faces.map(({ weight }) => weight)).size === faces.length &&
    faces.every(({ file, weight }) => file !== undefined || had.has(weight));
  /** Uploads the files that were chosen; gives the weights that are new, and those that are taken away. */
  const upload = async (organizationId: string) => {
    const added = await Promise.all(
      faces.flatMap(({ weight, file }) =>
        file ? [uploadFont(organizationId, file).then((storageKey) => ({ weight, storageKey }))] : [],
      ),
    );
    const removed = [...had].filter((weight) => !faces.some((face) => face.weight === weight));
    return { fontFamily: family.trim(), added, removed };
  };
  return { isReady, upload, noting, fields: { family, setFamily, faces, setFaces, at } };
}

/** Asks for the name of a font and the file of each weight. */
export function FontFields({ family, setFamily, faces, setFaces, at }: ReturnType<typeof useFontFields>['fields']) {
  const set = (key: number, change: Partial<FaceDraft>): void =>
    setFaces(faces.map((each) => (each.key === key ? { ...each, ...change } : each)));
  const add = (): void => {
    const key = Math.max(0, ...faces.map((each) => each.key)) + 1;
    const weight = [REGULAR, BOLD].find((each) => !faces.some((face) => face.weight === each)) ?? 1;
    setFaces([...faces, { key, weight }]);
  };
  return (
    <Stack gap="sm">
      <TextField
        label={words.family}
        value={family}
        error={at('fontFamily')}
        maxLength={MOST_FAMILY}
        required
        onText={setFamily}
      />
      <Note>{words.facesHelp}</Note>
      {faces.map(({ key, weight, file }, index) => (
        <Group key={key} align="flex-end" role="group" aria-label={words.face(index + 1)}>
          <NumberInput
            label={words.weight(index + 1)}
            value={weight}
            min={1}
            max={MOST_WEIGHT}
            allowDecimal={false}
            w={140}
            error={at(`fontFaces.${index}.weight`) ?? at(`fontFaces.${index}.storageKey`)}
            onChange={(next) => set(key, { weight: Number(next) })}
          />
          <FileButton accept={ACCEPTED} inputProps={NEW_CHOICE} onChange={(next) => next && set(key, { file: next })}>
            {(props) => <SecondaryButton {...props} label={words.choose} aria-label={words.chooseOne(index + 1)} />}
          </FileButton>
          <SecondaryButton
            label={words.removeFace}
            aria-label={words.removeFaceOne(index + 1)}
            disabled={faces.length === 1}
            onClick={() => setFaces(faces.filter((each) => each.key !== key))}
          />
          {file && (
            <Note role="status">
              <bdi>{file.name}</bdi>
            </Note>
          )}
        </Group>
      ))}
      <Group>
        <SecondaryButton label={words.addFace} size="xs" disabled={faces.length >= MOST_FACES} onClick={add} />
      </Group>
    </Stack>
  );
}
