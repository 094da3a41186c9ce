import { Amount, Flag, Id, Nested, OneOf, Text, Url } from '../../kernel/common/fields.js';
import { versioned } from '../../kernel/common/versioned.js';
import type { FontDefinition } from '../sites/font-uses.service.js';

const MAX_FACES = 20;
const FAMILY = { min: 1, max: 50, example: 'Acme Sans', description: 'The name in CSS' } as const;
const WEIGHT = { min: 1, max: 1000, example: 400, description: '400 is regular, 700 is bold' } as const;
const KEY = { min: 1, max: 512, example: 'AbCdEfGh0123456789Xy' } as const;
const FORMATS = ['woff2', 'woff'] as const;

class FontSourceBody {
  @Url({ example: 'http://localhost:3001/~files/AbCdEfGh0123456789Xy/acme.woff2' }) url: string;
  @OneOf(FORMATS, { optional: true, description: 'Absent for other formats' }) format?: (typeof FORMATS)[number];
}

class FontFaceBody {
  @Amount(WEIGHT) weight: number;
  @Nested(() => FontSourceBody, { list: true }) sources: FontSourceBody[];
}

class FontPermissions {
  @Flag({ description: 'The caller may change and delete the font' }) edit: boolean;
}

export class CustomFontBody {
  @Id() id: string;
  @Flag({ description: 'Always true' }) custom: boolean;
  @Text(FAMILY) fontFamily: string;
  @Nested(() => FontFaceBody, { list: true, description: 'By weight' }) fontFaces: FontFaceBody[];
  @Nested(() => FontPermissions) permissions: FontPermissions;
}

class NewFontFace {
  @Amount(WEIGHT) weight: number;
  @Text({ ...KEY, description: 'Key of an uploaded font, from `storage/upload`' }) storageKey: string;
}

class ChangedFontFace {
  @Amount(WEIGHT) weight: number;
  @Text({ ...KEY, nullable: true, description: 'Key of an uploaded font; null removes the weight' })
  storageKey: string | null;
}

export class CreateCustomFont {
  @Text(FAMILY) fontFamily: string;
  @Nested(() => NewFontFace, {
    list: true,
    minItems: 1,
    maxItems: MAX_FACES,
    description: 'One file for each weight; 400 must be among them',
  })
  fontFaces: NewFontFace[];
}

export class UpdateCustomFont {
  @Text({ ...FAMILY, optional: true }) fontFamily?: string;
  @Nested(() => ChangedFontFace, {
    optional: true,
    list: true,
    maxItems: MAX_FACES,
    description: 'Weights to add, replace or remove; others stay',
  })
  fontFaces?: ChangedFontFace[];
}

export interface CustomFontRow {
  readonly definition: FontDefinition;
  readonly version: number;
}

export function presentCustomFont({ definition, version }: CustomFontRow, edit: boolean): CustomFontBody {
  const { id, custom, fontFamily, fontFaces } = definition;
  const faces = fontFaces.map(({ weight, sources }) => ({ weight, sources: [...sources] }));
  return versioned({ id, custom, fontFamily, fontFaces: faces, permissions: { edit } }, version);
}
