import { queryOptions } from '@tanstack/react-query';
import { api, get, queries, send, type Schemas } from '../../api/client.js';
import { serviceTexts } from '../../texts/services.js';
import { POLL_EVERY } from '../polling.js';

export type Translation = Schemas['TranslationBody'];
export type TranslationPlace = Readonly<{ organizationId: string; translationId: string }>;
export type TranslatedSegment = Schemas['TranslationSegmentBody'];
export type SegmentState = TranslatedSegment['state'];
export type FileFormat = Schemas['TranslationFileBody']['format'];

export const TRANSLATIONS = '/v1/orgs/{organizationId}/translations';
export const TRANSLATION = '/v1/orgs/{organizationId}/translations/{translationId}';
const SEGMENT = `${TRANSLATION}/segments/{segmentId}` as const;
export const SEGMENT_STATES = [
  'outdated',
  'untranslated',
  'machine',
  'reviewed',
] as const satisfies readonly SegmentState[];

/** The beginning of the keys of all that is read about the translations of an organization. */
export const translationsKey = (organizationId: string) => ['translations', organizationId] as const;

export const translationKey = ({ organizationId, translationId }: TranslationPlace) =>
  [...translationsKey(organizationId), 'one', translationId] as const;

export const isRunning = ({ status }: Pick<Translation, 'status'>): boolean => status !== 'completed';

export const translationQuery = (place: TranslationPlace) =>
  queryOptions({
    queryKey: [...translationKey(place), 'translation'],
    queryFn: () => get(TRANSLATION, place),
    refetchInterval: ({ state }) => (state.data && isRunning(state.data) ? POLL_EVERY : false),
  });

/** The beginning of the keys of what runs change: texts, pages, and their numbers. */
export const contentsKey = (place: TranslationPlace) => [...translationKey(place), 'contents'] as const;

/** The number of texts in each state. */
export const countsQuery = (place: TranslationPlace) =>
  queryOptions({
    queryKey: [...contentsKey(place), 'counts'],
    queryFn: async () => {
      const counts = SEGMENT_STATES.map(
        async (state) => [state, (await get(`${TRANSLATION}/segments`, place, { state, limit: 1 })).count] as const,
      );
      return Object.fromEntries(await Promise.all(counts)) as Record<SegmentState, number>;
    },
  });

/** A text with the version that it is in, for a correction that must not undo another one. */
export async function readSegment(place: TranslationPlace, segmentId: string) {
  const { data, response } = await api.GET(SEGMENT, { params: { path: { ...place, segmentId } } });
  return { segment: data, version: response.headers.get('etag') ?? undefined };
}

export async function correctSegment(
  place: TranslationPlace,
  segmentId: string,
  correction: Schemas['CorrectSegment'],
  version?: string,
): Promise<void> {
  try {
    await send('patch', SEGMENT, { ...place, segmentId }, correction, {
      ...(version !== undefined && { headers: { 'If-Match': version } }),
    });
  } finally {
    await queries.invalidateQueries({ queryKey: translationKey(place) });
  }
}

/** Confirms what a screen shows for a text, or gives it back to the engine, unless somebody has changed it meanwhile. */
export async function settleSegment(
  place: TranslationPlace,
  { id, target }: Pick<TranslatedSegment, 'id' | 'target'>,
  state: 'reviewed' | 'machine',
): Promise<void> {
  const { segment, version } = await readSegment(place, id);
  if (segment !== undefined && segment.target === target) return correctSegment(place, id, { state }, version);
  await queries.invalidateQueries({ queryKey: translationKey(place) });
  throw new Error(serviceTexts.translations.changedMeanwhile);
}

/** The texts of a translation as files for translators, one after the other. */
export async function* exportedFiles(place: TranslationPlace, format: FileFormat) {
  let page: string | undefined;
  do {
    const file = await get(`${TRANSLATION}/export`, place, { format, page });
    yield file;
    page = file.next?.page;
  } while (page !== undefined);
}

/** Lets the browser save a text as a file. */
export function saveFile(name: string, type: string, content: string): void {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}

const FORMATS: readonly (readonly [RegExp, FileFormat])[] = [
  [/\.(xlf|xliff)$/i, 'xliff'],
  [/\.po$/i, 'po'],
  [/\.tmx$/i, 'tmx'],
];

/** The format of a file by its name. */
export function formatOf(name: string): FileFormat | undefined {
  return FORMATS.find(([pattern]) => pattern.test(name))?.[1];
}
