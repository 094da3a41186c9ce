import type { Addresses } from '../../kernel/common/addresses.js';
import { Free, Id, Nested, ObjectName, OneOf, Timestamp, Url } from '../../kernel/common/fields.js';

/** A term by language. */
export type GlossaryTranslations = Readonly<Record<string, string>>;

const MOST_FORMS = 20;

const TRANSLATIONS = { en: 'space', es: 'espacio' };
const FORMS = [{ en: 'spaces', es: 'espacios' }];
const TERMS = {
  additionalProperties: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[^\\n\\r]*$' },
} as const;
const LIST_OF_TERMS = { type: 'array', items: { type: 'object', ...TERMS } } as const;

class GlossaryUrls {
  @Url({ example: 'http://localhost:3000/v1/orgs/AbCdEfGh0123456789Xy/translations-glossary/AbCdEfGh0123456789Xz' })
  location: string;
}

export class GlossaryEntryBody {
  @ObjectName('glossary-entry') object: 'glossary-entry';
  @Id() id: string;
  @Free({ schema: TERMS, example: TRANSLATIONS, description: 'The term by language' })
  translations: GlossaryTranslations;
  @Free({ list: true, schema: LIST_OF_TERMS, example: FORMS, description: 'Other forms of the term, each by language' })
  forms: readonly GlossaryTranslations[];
  @Timestamp() createdAt: string;
  @Timestamp() updatedAt: string;
  @Nested(() => GlossaryUrls) urls: GlossaryUrls;
}

const OPERATIONS = ['insert', 'update', 'delete'] as const;

export class GlossaryOperation {
  @OneOf(OPERATIONS) type: (typeof OPERATIONS)[number];
  @Id({ optional: true, description: 'Entry to update or delete' }) id?: string;
  @Free({
    optional: true,
    schema: TERMS,
    example: TRANSLATIONS,
    description: 'The term by language, for insert and update; it replaces all that the entry had',
  })
  translations?: GlossaryTranslations;
  @Free({
    optional: true,
    list: true,
    maxItems: MOST_FORMS,
    schema: LIST_OF_TERMS,
    example: FORMS,
    description:
      'Other forms of the term, such as its plural, each in languages of `translations`, for insert and update; they replace all forms that the entry had',
  })
  forms?: readonly GlossaryTranslations[];
}

export class UpdateGlossary {
  @Nested(() => GlossaryOperation, {
    list: true,
    minItems: 1,
    maxItems: 1000,
    example: [{ type: 'insert', translations: TRANSLATIONS }],
  })
  operations: GlossaryOperation[];
}

export interface GlossaryRow {
  readonly id: string;
  readonly organizationId: string;
  readonly translations: GlossaryTranslations;
  readonly forms: readonly GlossaryTranslations[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export function presentGlossaryEntry(
  { id, organizationId, translations, forms, createdAt, updatedAt }: GlossaryRow,
  addresses: Addresses,
): GlossaryEntryBody {
  return {
    object: 'glossary-entry',
    id,
    translations,
    forms,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
    urls: { location: addresses.location(`/orgs/${organizationId}/translations-glossary/${id}`) },
  };
}
