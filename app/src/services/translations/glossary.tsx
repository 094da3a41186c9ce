import { Fieldset, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import IconRemove from '~icons/fa7-solid/trash-can';
import { get, send, useList, type Schemas } from '../../api/client.js';
import { texts } from '../../texts/en.js';
import { serviceTexts } from '../../texts/services.js';
import { Button, IconButton, SecondaryButton } from '../../ui/buttons.js';
import { ActionButton, changing, FormDialog, TextField } from '../../ui/forms.js';
import { EmptyScreen, Note, Time } from '../../ui/screens.js';
import { ListTable } from '../../ui/tables.js';
import { languageName, LanguageSelect, type Language } from './languages.js';
import { translationsKey } from './queries.js';

type Entry = Schemas['GlossaryEntryBody'];
type Operation = Schemas['GlossaryOperation'];
type Form = Readonly<Record<string, string>>;
type Term = Readonly<{ language: Language | null; text: string }>;

const GLOSSARY = '/v1/orgs/{organizationId}/translations-glossary';
const MOST_TERM = 255;
const MOST_FORMS = 20;
const words = serviceTexts.translations.glossary;

/** The terms of an organization with their translations. */
export function Glossary({ organizationId }: Readonly<{ organizationId: string }>) {
  const refresh = [...translationsKey(organizationId), 'glossary'];
  const [edited, setEdited] = useState<Entry | 'new'>();
  const entries = useList<Entry>(refresh, (page) => get(GLOSSARY, { organizationId }, { page }));
  const change = (operation: Operation) => send('put', GLOSSARY, { organizationId }, { operations: [operation] });
  const nameOf = ({ translations }: Entry): string => Object.values(translations)[0] ?? '';
  return (
    <Stack>
      <Note>{words.text}</Note>
      <Group>
        <Button label={words.add} onClick={() => setEdited('new')} />
      </Group>
      <ListTable
        query={entries}
        empty={<EmptyScreen title={words.none} text={words.noneText} />}
        columns={[
          { heading: words.term, cell: (entry) => <Terms {...entry} /> },
          { heading: words.changed, cell: ({ updatedAt }) => <Time at={updatedAt} /> },
          {
            heading: texts.people.people.actions,
            isButtons: true,
            cell: (entry) => (
              <Group gap="xs" justify="flex-end" wrap="nowrap">
                <SecondaryButton
                  label={words.edit}
                  aria-label={words.editOne(nameOf(entry))}
                  size="xs"
                  onClick={() => setEdited(entry)}
                />
                <ActionButton
                  label={texts.common.delete}
                  aria-label={words.deleteOne(nameOf(entry))}
                  size="xs"
                  action={() => change({ type: 'delete', id: entry.id })}
                  refresh={refresh}
                  done={words.deleted}
                />
              </Group>
            ),
          },
        ]}
      />
      {edited && (
        <EntryForm
          entry={edited === 'new' ? undefined : edited}
          onSave={changing(change, { refresh, done: words.saved })}
          onClose={() => setEdited(undefined)}
        />
      )}
    </Stack>
  );
}

function Terms({ translations, forms }: Pick<Entry, 'translations' | 'forms'>) {
  return Object.entries(translations).map(([language, term]) => (
    <div key={language}>
      <bdi lang={language}>{[term, ...forms.flatMap((form) => form[language] ?? [])].join(', ')}</bdi>{' '}
      <Text component="span" size="sm" c="dimmed" children={languageName(language)} />
    </div>
  ));
}

interface EntryFormProps {
  readonly entry: Entry | undefined;
  readonly onSave: (operation: Operation) => Promise<unknown>;
  readonly onClose: () => void;
}

const NO_TERM: Term = { language: null, text: '' };

function EntryForm({ entry, onSave, onClose }: EntryFormProps) {
  const [terms, setTerms] = useState<readonly Term[]>(() =>
    entry
      ? Object.entries(entry.translations).map(([language, text]) => ({ language: language as Language, text }))
      : [NO_TERM, NO_TERM],
  );
  const [forms, setForms] = useState<readonly Form[]>(entry?.forms ?? []);
  const set = (index: number, next: Partial<Term>): void =>
    setTerms(terms.map((term, at) => (at === index ? { ...term, ...next } : term)));
  const languages = terms.flatMap(({ language }) => language ?? []);
  const translations = Object.fromEntries(terms.map(({ language, text }) => [language ?? '', text.trim()]));
  const isReady = languages.length === terms.length && terms.every(({ text }) => text.trim() !== '');
  const written = { translations, forms: forms.map((form) => inLanguages(form, languages)).filter(hasTerm) };
  const save = () => onSave(entry ? { type: 'update', id: entry.id, ...written } : { type: 'insert', ...written });
  return (
    <FormDialog
      title={entry ? words.edit : words.add}
      action={texts.common.save}
      disabled={!isReady || terms.length === 0}
      onSubmit={save}
      onClose={onClose}
    >
      {terms.map(({ language, text }, index) => (
        <Group key={index} wrap="nowrap" gap="xs">
          <LanguageSelect
            aria-label={words.language(index + 1)}
            placeholder={words.chooseLanguage}
            value={language}
            onChange={(chosen) => set(index, { language: chosen })}
            without={languages.filter((each) => each !== language)}
            flex={1}
          />
          <TextField
            aria-label={words.termAt(index + 1)}
            placeholder={words.term}
            value={text}
            onText={(next) => set(index, { text: next })}
            maxLength={MOST_TERM}
            dir="auto"
            flex={1}
          />
          <IconButton
            label={words.remove(index + 1)}
            Icon={IconRemove}
            size="lg"
            disabled={terms.length <= 1}
            onClick={() => setTerms(terms.filter((_, at) => at !== index))}
          />
        </Group>
      ))}
      <Group>
        <SecondaryButton label={words.addLanguage} size="xs" onClick={() => setTerms([...terms, NO_TERM])} />
      </Group>
      <Forms forms={forms} languages={languages} onChange={setForms} />
    </FormDialog>
  );
}

interface FormsProps {
  readonly forms: readonly Form[];
  readonly languages: readonly Language[];
  readonly onChange: (forms: readonly Form[]) => void;
}

/** The other forms of a term, with a field for each of its languages. */
function Forms({ forms, languages, onChange }: FormsProps) {
  const replace = (index: number, ...next: readonly Form[]): void => onChange(forms.toSpliced(index, 1, ...next));
  return (
    <Fieldset legend={words.forms}>
      <Stack gap="xs">
        <Note>{words.formsText}</Note>
        {forms.map((form, index) => (
          <Group key={index} role="group" aria-label={words.form(index + 1)} wrap="nowrap" gap="xs">
            {languages.map((language) => (
              <TextField
                key={language}
                aria-label={words.formIn(index + 1, languageName(language))}
                placeholder={languageName(language)}
                value={form[language] ?? ''}
                onText={(next) => replace(index, { ...form, [language]: next })}
                maxLength={MOST_TERM}
                dir="auto"
                flex={1}
              />
            ))}
            <IconButton
              label={words.removeForm(index + 1)}
              Icon={IconRemove}
              size="lg"
              onClick={() => replace(index)}
            />
          </Group>
        ))}
        <Group>
          <SecondaryButton
            label={words.addForm}
            size="xs"
            disabled={languages.length === 0 || forms.length >= MOST_FORMS}
            onClick={() => onChange([...forms, {}])}
          />
        </Group>
      </Stack>
    </Fieldset>
  );
}

/** A form without what is empty, and without languages that the term has no more. */
function inLanguages(form: Form, languages: readonly string[]): Form {
  return Object.fromEntries(
    Object.entries(form)
      .map(([language, text]) => [language, text.trim()] as const)
      .filter(([language, text]) => text !== '' && languages.includes(language)),
  );
}

const hasTerm = (form: Form): boolean => Object.keys(form).length > 0;
