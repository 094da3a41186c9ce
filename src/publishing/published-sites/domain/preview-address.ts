import { requestedOf } from './requested-address.js';

/** The first segment of the addresses of previews, which no site can have. */
const PREVIEW_SEGMENT = '~preview';

/** The cookie that keeps the token of a preview, at the path of that preview alone. */
export const PREVIEW_COOKIE = 'bindery-preview';

/** The parameter of an address with the token of a preview. */
export const PREVIEW_TOKEN = 'token';

/** A preview, and a place in it. */
export interface PreviewAddress {
  /** The id of the change request. */
  readonly request: string;
  /** The id of the site, or of the space if it is shown alone. */
  readonly shown: string;
  /** The path within the site, decoded, without slashes at its ends. */
  readonly path: string;
}

/** The base path of a preview. */
export function previewBase({ request, shown }: Omit<PreviewAddress, 'path'>): string {
  return `/${PREVIEW_SEGMENT}/${request}/${shown}`;
}

/** Tells whether a path on the public listener is one of previews. */
export function isPreviewPath(path: string): boolean {
  return path === `/${PREVIEW_SEGMENT}` || path.startsWith(`/${PREVIEW_SEGMENT}/`);
}

/** The parts of a path of previews; undefined if it names none. */
export function previewAddressOf(path: string): PreviewAddress | undefined {
  const [, request, shown, ...rest] = requestedOf('', path)?.segments ?? [];
  return request === undefined || shown === undefined ? undefined : { request, shown, path: rest.join('/') };
}
