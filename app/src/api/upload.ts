import { ApiError, send, type Schemas } from './client.js';

interface UploadedFile {
  readonly organizationId: string;
  readonly kind: Schemas['OfferUpload']['kind'];
  readonly file: File;
  /** The media type of the file; that which the browser knows unless given. */
  readonly type?: string;
  /** The words for a file that the server does not take. */
  readonly refused: (name: string, status: number) => string;
}

/** Hands a file over at the address that the service gives for it, until `signal` ends that; gives its key. */
export async function uploadFile(
  { organizationId, kind, file, type = file.type, refused }: UploadedFile,
  signal?: AbortSignal,
): Promise<string> {
  const contentType = type === '' ? 'application/octet-stream' : type;
  const cancelled = signal && { signal };
  const offer = await send(
    'post',
    '/v1/orgs/{organizationId}/storage/upload',
    { organizationId },
    { kind, file: { name: file.name, type: contentType, size: file.size } },
    cancelled,
  );
  const options = { method: 'PUT', headers: { 'Content-Type': contentType }, body: file, ...cancelled };
  const answer = await fetch(offer.url, options).catch((error: unknown) => {
    signal?.throwIfAborted();
    throw new ApiError(0, String(error));
  });
  if (!answer.ok) throw new Error(refused(file.name, answer.status));
  return offer.key;
}
