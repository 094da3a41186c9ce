import type { ForgeAnswer } from './forge-answer.js';
import type { ForgeHttp, Paging } from './forge-http.js';
import type { ForgeBranch, ForgeFile, ForgeRepositories, ForgeRepository } from './forge.js';

const PAGING: Paging = { size: 100, name: 'per_page' };

/** GitHub, by its REST API of the version 2022-11-28. A repository is `owner/name`. */
export class GitHub implements ForgeRepositories {
  constructor(
    private readonly http: ForgeHttp,
    /** Asked with the token of an app, which sees the repositories that its installation is given. */
    private readonly isApp: boolean,
  ) {}

  async repositories(): Promise<ForgeRepository[]> {
    if (this.isApp) {
      const given = await this.http.list('/installation/repositories', { ...PAGING, items: 'repositories' });
      return (given ?? []).map(repositoryOf);
    }
    const found = (await this.http.list('/user/repos?sort=full_name', PAGING)) ?? [];
    return found.filter((each) => each.at('permissions').at('push').isTrue()).map(repositoryOf);
  }

  async addressOf(id: number): Promise<string | undefined> {
    return (await this.http.find(`/repositories/${id}`))?.text('clone_url');
  }

  async branches(repository: string): Promise<ForgeBranch[] | undefined> {
    const found = await this.http.list(`/repos/${inPath(repository)}/branches`, PAGING);
    return found?.map((each) => ({ name: each.text('name') ?? '' }));
  }

  async file(repository: string, path: string, ref: string): Promise<ForgeFile | undefined> {
    const query = new URLSearchParams({ ref }).toString();
    const found = await this.http.find(`/repos/${inPath(repository)}/contents/${inPath(path)}?${query}`);
    if (found?.text('type') !== 'file') return undefined;
    const [name = '', sha = ''] = [found.text('name'), found.text('sha')];
    return { name, path: found.text('path') ?? path, sha, size: found.whole('size') };
  }
}

function repositoryOf(answer: ForgeAnswer): ForgeRepository {
  return {
    id: answer.whole('id'),
    account: answer.text('owner', 'login') ?? '',
    name: answer.text('name') ?? '',
    fullName: answer.text('full_name') ?? '',
    defaultBranch: answer.text('default_branch'),
  };
}

/** Names that slashes divide, for a path of an address. */
export function inPath(names: string): string {
  return names.split('/').map(encodeURIComponent).join('/');
}
