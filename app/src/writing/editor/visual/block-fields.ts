import { writingTexts } from '../../../texts/writing.js';
import type { Data, Json } from './model/content.js';

const words = writingTexts.visual;

/** A field of the data of a block that is edited beside its content. */
export interface BlockField {
  readonly name: string;
  readonly label: string;
  readonly kind: 'text' | 'lines' | 'choice' | 'date';
  readonly choices?: readonly (readonly [value: string, label: string])[];
  /** The field is left out of the data while it is empty. */
  readonly isOptional?: boolean;
}

const text = (name: string, label: string, isOptional = false): BlockField => ({
  name,
  label,
  kind: 'text',
  isOptional,
});

const FIELDS: Readonly<Record<string, readonly BlockField[]>> = {
  hint: [
    {
      name: 'style',
      label: words.fields.style,
      kind: 'choice',
      choices: Object.entries(words.hintStyles),
    },
  ],
  code: [text('syntax', words.fields.language, true), text('title', words.fields.fileName, true)],
  'tabs-item': [text('title', words.fields.tab)],
  if: [text('expression', words.fields.condition)],
  update: [{ name: 'date', label: words.fields.date, kind: 'date' }],
  math: [{ name: 'formula', label: words.fields.formula, kind: 'lines' }],
  embed: [text('url', words.fields.address)],
  prompt: [text('description', words.fields.description)],
  image: [text('alt', words.fields.alternative, true)],
  expression: [text('expression', words.fields.expression)],
  'inline-math': [text('formula', words.fields.formula)],
  'inline-image': [text('alt', words.fields.alternative, true)],
  button: [text('label', words.fields.label)],
};

export function fieldsOf(blockType: string): readonly BlockField[] {
  return FIELDS[blockType] ?? [];
}

/** The data with another value of a field. */
export function withField(data: Data, { name, kind, isOptional = false }: BlockField, value: string): Data {
  const { [name]: _before, ...rest } = data;
  if (isOptional && value === '') return rest;
  return { ...data, [name]: kind === 'date' ? dateOf(value, data[name]) : value };
}

/** The value of a field as its input shows it. */
export function fieldText(data: Data, { name, kind }: BlockField): string {
  const value: Json | undefined = data[name];
  const shown = typeof value === 'string' ? value : '';
  return kind === 'date' ? shown.slice(0, 10) : shown;
}

/** A day in the form of the one before, which may have a time. */
function dateOf(day: string, before: Json | undefined): Json {
  return typeof before === 'string' && before.length > 10 ? day + before.slice(10) : day;
}
