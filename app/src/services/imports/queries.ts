import { queryOptions } from '@tanstack/react-query';
import { api, get, send, type Schemas } from '../../api/client.js';
import { uploadFile } from '../../api/upload.js';
import { serviceTexts } from '../../texts/services.js';
import { startRequest } from '../../writing/edit-button.js';
import type { Place } from '../../writing/place.js';
import { POLL_EVERY } from '../polling.js';

export type ImportRun = Schemas['ImportRunBody'];
export const IMPORTS = '/v1/org/{organizationId}/imports';

const words = serviceTexts.imports;

/** The beginning of the keys of all that is read about the imports and exports of a space. */
export const runsKey = ({ spaceId }: Pick<Place, 'spaceId'>) => ['import-runs', spaceId] as const;

export const isAtWork = ({ status }: Pick<ImportRun, 'status'>): boolean =>
  status === 'pending' || status === 'in-progress';

export const runQuery = (place: Place, importRunId: string) =>
  queryOptions({
    queryKey: [...runsKey(place), 'run', importRunId],
    queryFn: () => get(`${IMPORTS}/{importRunId}`, { organizationId: place.organizationId, importRunId }),
    refetchInterval: ({ state }) => (state.data && isAtWork(state.data) ? POLL_EVERY : false),
  });

const textAt = (source: ImportRun['source'], name: string): string | undefined => {
  const value = source[name];
  return typeof value === 'string' ? value : undefined;
};

/** The source of a run in words: its kind, and its address or the number of its files. */
export function sourceOf({ source }: Pick<ImportRun, 'source'>): { readonly kind: string; readonly detail: string } {
  const type = textAt(source, 'type') ?? '';
  const kind = Object.entries(words.sources).find(([name]) => name === type)?.[1] ?? type;
  const { files } = source;
  const at = [textAt(source, 'url'), textAt(source, 'ref'), textAt(source, 'directory')].filter(Boolean).join(' · ');
  return { kind, detail: at === '' && Array.isArray(files) ? words.fileCount(files.length) : at };
}

/** A source that is given by hand. */
export type NewSource =
  | Readonly<{ type: 'website'; url: string }>
  | Readonly<{ type: 'file'; files: readonly File[] }>
  | Readonly<{ type: 'git'; url: string; ref: string; directory: string }>;

/** Begins an import into a space, or into a new change request of it, until `signal` ends that; gives the id of the run. */
export async function startImport(
  place: Place,
  source: NewSource,
  isReviewed: boolean,
  signal: AbortSignal,
): Promise<string> {
  if (source.type === 'git') return startGit(place, source, isReviewed);
  const { organizationId, spaceId } = place;
  // Before the change request: an upload that fails leaves nothing behind.
  const given =
    source.type === 'website'
      ? source
      : {
          type: source.type,
          files: await Promise.all(
            source.files.map((file) =>
              uploadFile({ organizationId, kind: 'import_file', file, refused: words.notUploaded }, signal),
            ),
          ),
        };
  signal.throwIfAborted();
  const begin = async (changeRequest?: string): Promise<string> => {
    const target = { space: spaceId, ...(changeRequest !== undefined && { changeRequest }) };
    return (await send('post', IMPORTS, { organizationId }, { source: given, target })).id;
  };
  if (!isReviewed) return begin();
  const changeRequestId = await startRequest(spaceId, words.subject(nameOf(source)));
  try {
    signal.throwIfAborted();
    return await begin(changeRequestId);
  } catch (error) {
    const request = '/v1/spaces/{spaceId}/change-requests/{changeRequestId}';
    await send('patch', request, { spaceId, changeRequestId }, { status: 'archived' }).catch(() => undefined);
    throw error;
  }
}

const MOST_NAME = 100;

function nameOf(source: Exclude<NewSource, { readonly type: 'git' }>): string {
  const name = source.type === 'website' ? source.url : source.files.map((file) => file.name).join(', ');
  return name.length > MOST_NAME ? `${name.slice(0, MOST_NAME)}…` : name;
}

async function startGit({ spaceId }: Place, source: NewSource & { type: 'git' }, isReviewed: boolean): Promise<string> {
  const { url, ref, directory } = source;
  const body = { url, ref, standalone: isReviewed, force: false };
  const { response } = await api.POST('/v1/spaces/{spaceId}/git/import', {
    params: { path: { spaceId } },
    body: { ...body, ...(directory !== '' && { repoProjectDirectory: directory }) },
  });
  return runAt(response);
}

/** The id of a run that answers have in their header alone. */
export const runAt = ({ headers }: Response): string => headers.get('location')?.split('/').at(-1) ?? '';
