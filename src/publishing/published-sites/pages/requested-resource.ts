import type { ClientInfo } from './reader-counts.js';

/** The resource that a reader asks a site for. */
export interface RequestedResource {
  /** The key of a request that says nothing beside its address. */
  readonly plainKey?: string | undefined;
  /** Below the site, decoded, without slashes at its ends. */
  readonly path: string;
  /** The path of the address as it came, which may lead to the same in other ways. */
  readonly rawPath: string;
  readonly query: URLSearchParams;
  /** Whether data is wanted in the place of a page. */
  readonly asData: boolean;
  /** Whether Markdown is preferred to a page. */
  readonly asMarkdown: boolean;
  /** True if the answer is shown to a person as a page. */
  readonly wantsPage: boolean;
  /** Whether only the headers of the answer are wanted. */
  readonly isHead: boolean;
  readonly reader: ClientInfo;
}

/** A query as it stands behind a path. */
export function searchOf(query: URLSearchParams): string {
  return query.size === 0 ? '' : `?${query.toString()}`;
}
