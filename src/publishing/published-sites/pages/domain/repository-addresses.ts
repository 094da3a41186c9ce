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

/** The addresses of a git service that is known by name. */
interface GitService {
  readonly name: string;
  /** The path of the editor, below that of a repository. */
  readonly editor: string;
  /** The form for a new issue, and its fields. */
  readonly issue: { readonly form: string; readonly title: string; readonly text: string };
}

const GITHUB: GitService = {
  name: 'GitHub',
  editor: 'edit',
  issue: { form: 'issues/new', title: 'title', text: 'body' },
};
const GITLAB: GitService = {
  name: 'GitLab',
  editor: '-/edit',
  issue: { form: '-/issues/new', title: 'issue[title]', text: 'issue[description]' },
};
const SERVICES: Readonly<Record<string, GitService>> = { github: GITHUB, gitlab: GITLAB };

function serviceOf({ provider }: Repository, address: string): GitService | undefined {
  return SERVICES[provider ?? /^https?:\/\/(?:[\w-]+\.)*?(github|gitlab)\./i.exec(address)?.[1]?.toLowerCase() ?? ''];
}

/** The address of a repository or of a branch of it for people; undefined if only one for cloning is known. */
function addressForPeople({ url }: Repository): string | undefined {
  const address = url.replace(/\/+$/, '').replace(/\.git$/, '');
  return /^https?:\/\//i.test(address) ? address : undefined;
}

const TREE = /^(.*?)\/(-\/)?tree\/(.+)$/;

/** The address at which a file of a repository is edited. */
export interface EditAddress {
  readonly href: string;
  /** The name of the git service, if it is known. */
  readonly service?: string;
}

/**
 * The browser address for editing a file of a repository, `path` relative to the root of the repository: the editor of
 * GitHub or GitLab, else the file below the address that was given for the branch. Undefined if only an address for
 * cloning is known.
 */
export function editAddress(repository: Repository, path: string): EditAddress | undefined {
  const address = addressForPeople(repository);
  if (address === undefined) return undefined;
  const service = serviceOf(repository, address);
  const name = service && { service: service.name };
  const file = path.split('/').map(encodeURIComponent).join('/');
  const tree = TREE.exec(address);
  if (tree) return { href: `${tree[1] ?? ''}/${tree[2] ?? ''}edit/${tree[3] ?? ''}/${file}`, ...name };
  const branch = encodeURI(repository.ref.replace(/^refs\/heads\//, ''));
  if (service) return { href: `${address}/${service.editor}/${branch}/${file}`, ...name };
  return repository.url === repository.remote ? undefined : { href: `${address}/${file}` };
}

/** The form for a new issue in a repository at GitHub or GitLab, filled in; undefined elsewhere. */
export function issueAddress(
  repository: Repository,
  issue: { readonly title: string; readonly text: string },
): string | undefined {
  const address = addressForPeople(repository);
  const service = address === undefined ? undefined : serviceOf(repository, address);
  if (address === undefined || !service) return undefined;
  const { form, title, text } = service.issue;
  const fields = new URLSearchParams({ [title]: issue.title, [text]: issue.text });
  return `${TREE.exec(address)?.[1] ?? address}/${form}?${fields.toString()}`;
}
