/** The repository that a space was last imported from or exported to. */
export interface Repository {
  /** The address of the branch for people; `remote` if none is known. */
  readonly url: string;
  /** The address for cloning. */
  readonly remote: string;
  readonly provider: string | null;
  /** A branch, with or without `refs/heads/`. */
  readonly ref: string;
}

/** The edit addresses of the git services that are known by name. */
const EDITORS: Readonly<Record<string, string>> = { github: 'edit', gitlab: '-/edit' };

/**
 * The browser address for editing a file of a repository, `path` relative to the root of the repository: the editor of
 * GitHub or GitLab, else the file below the address that was given for the branch. Undefined if only an address for
 * cloning is known.
 */
export function editAddress({ url, remote, provider, ref }: Repository, path: string): string | undefined {
  const address = url.replace(/\/+$/, '').replace(/\.git$/, '');
  if (!/^https?:\/\//i.test(address)) return undefined;
  const file = path.split('/').map(encodeURIComponent).join('/');
  const tree = /^(.*?)\/(-\/)?tree\/(.+)$/.exec(address);
  if (tree) return `${tree[1] ?? ''}/${tree[2] ?? ''}edit/${tree[3] ?? ''}/${file}`;
  const editor =
    EDITORS[provider ?? /^https?:\/\/(?:[\w-]+\.)*?(github|gitlab)\./i.exec(address)?.[1]?.toLowerCase() ?? ''];
  if (editor !== undefined) return `${address}/${editor}/${encodeURI(ref.replace(/^refs\/heads\//, ''))}/${file}`;
  return url === remote ? undefined : `${address}/${file}`;
}
