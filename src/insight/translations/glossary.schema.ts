import type { Addresses } from '../../kernel/common/addresses.js';
import { Free, Id, Nested, ObjectName, OneOf, Timestamp, Url } from '../../kernel/common/fields.js';

/** A term by language. */
export type GlossaryTranslations = Readonly<Record<string, string>>;

const TRANSLATIONS = { en: 'space', es: 'espacio' };
const TERMS = {
  additionalProperties: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[^\\n\\r]*$' },
} as const;

class GlossaryUrls {
  @Url({ example: 'http://localhost:3000/v1/orgs/AbCdEfGh0123456789Xy/translations-glossary/AbCdEfGh0123456789Xz' })
  location: string;
}

export class GlossaryEntryBody {
  @ObjectName('glossary-entry') object: 'glossary-entry';
  @Id() id: string;
  @Free({ schema: TERMS, example: TRANSLATIONS, description: 'The term by language' })
  translations: GlossaryTranslations;
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
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export function presentGlossaryEntry(
  { id, organizationId, translations, createdAt, updatedAt }: GlossaryRow,
  addresses: Addresses,
): GlossaryEntryBody {
  return {
    object: 'glossary-entry',
    id,
    translations,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
    urls: { location: addresses.location(`/orgs/${organizationId}/translations-glossary/${id}`) },
  };
}
