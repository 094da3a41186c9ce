import { Select, type SelectProps } from '@mantine/core';
import type { Schemas } from '../../api/client.js';
import type { WordsIn } from '../words-in.js';

export type Language = Schemas['TranslationBody']['language'];

const CODES =
  'ar hy eu bg ca yue zh zh-tw hr cs da nl en et fi fr de el he hi hu id ga it ja ko lv lt ms ne no pl pt pt-br ro ru sr sk sl es sv ta th tr uk vi yi';
type Listed = WordsIn<typeof CODES>;
/** False at compile time as soon as the interface has a language that is not listed, or not any more one that is. */
const isComplete: [Exclude<Language, Listed>, Exclude<Listed, Language>] extends [never, never] ? true : false = true;
const NAMES = new Intl.DisplayNames('en', { type: 'language' });

/** The name of a language in the language of the workspace. */
export const languageName = (code: string): string => NAMES.of(code) ?? code;

const OPTIONS = (isComplete ? (CODES.split(' ') as Listed[]) : [])
  .map((value) => ({ value, label: languageName(value) }))
  .sort((a, b) => a.label.localeCompare(b.label));

type LanguageSelectProps = Omit<SelectProps, 'data' | 'value' | 'onChange'> &
  Readonly<{ value: Language | null; onChange: (language: Language) => void; without?: readonly string[] }>;

export function LanguageSelect({ value, onChange, without = [], ...props }: LanguageSelectProps) {
  return (
    <Select
      {...props}
      data={OPTIONS.filter((option) => !without.includes(option.value))}
      value={value}
      onChange={(chosen) => {
        const option = OPTIONS.find((each) => each.value === chosen);
        if (option) onChange(option.value);
      }}
      searchable
    />
  );
}
