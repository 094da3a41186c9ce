import { queryOptions } from '@tanstack/react-query';
import { get, readAll, type Schemas } from '../../api/client.js';
import { uploadFile } from '../../api/upload.js';
import { settingsTexts } from '../../texts/settings.js';

export type Font = Schemas['CustomFontBody'];

export const FONTS = '/v1/orgs/{organizationId}/fonts';
export const FONT = `${FONTS}/{fontId}` as const;

const TYPES: Readonly<Record<string, string>> = {
  woff2: 'font/woff2',
  woff: 'font/woff',
  ttf: 'font/ttf',
  otf: 'font/otf',
};

/** The files that can be chosen as fonts. */
export const ACCEPTED = Object.keys(TYPES)
  .map((ending) => `.${ending}`)
  .join(',');

/** The fonts of an organization, oldest first. */
export const fontsQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ['fonts', organizationId],
    queryFn: () => readAll<Font>((page) => get(FONTS, { organizationId }, { page, limit: 100 })),
  });

/** Uploads the file of one weight; gives its key. */
export function uploadFont(organizationId: string, file: File): Promise<string> {
  // Browsers do not know the types of all fonts.
  const type = TYPES[file.name.toLowerCase().split('.').at(-1) ?? ''] ?? file.type;
  return uploadFile({
    organizationId,
    kind: 'customization_font',
    file,
    type,
    refused: settingsTexts.fonts.notUploaded,
  });
}
