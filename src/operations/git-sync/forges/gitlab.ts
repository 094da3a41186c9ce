import type { ForgeAnswer } from './forge-answer.js';
import type { ForgeHttp, Paging } from './forge-http.js';
import type { ForgeBranch, ForgeFile, ForgeRepositories, ForgeRepository } from './forge.js';

const PAGING: Paging = { size: 100, name: 'per_page' };
/** The least level of access that may push: Developer. */
const MAY_PUSH = 30;

/** GitLab, by version 4 of its REST API. A repository is the path of its project, or its id. */
export class GitLab implements ForgeRepositories {
  constructor(private readonly http: ForgeHttp) {}

  async repositories(): Promise<ForgeRepository[]> {
    const query = `membership=true&simple=true&min_access_level=${MAY_PUSH}&order_by=id`;
    return ((await this.http.list(`/projects?${query}`, PAGING)) ?? []).map(repositoryOf);
  }

  async addressOf(id: number): Promise<string | undefined> {
    return (await this.http.find(`/projects/${id}`))?.text('http_url_to_repo');
  }

  async branches(project: string): Promise<ForgeBranch[] | undefined> {
    const found = await this.http.list(`${projectPath(project)}/repository/branches`, PAGING);
    return found?.map((each) => ({ name: each.text('name') ?? '' }));
  }

  async file(project: string, path: string, ref: string): Promise<ForgeFile | undefined> {
    const query = new URLSearchParams({ ref }).toString();
    // The headers tell all; the body would hold the whole file.
    const found = await this.http.headers(
      `${projectPath(project)}/repository/files/${encodeURIComponent(path)}?${query}`,
    );
    if (!found) return undefined;
    const name = path.slice(path.lastIndexOf('/') + 1);
    return { name, path, sha: found['x-gitlab-blob-id'] ?? '', size: Number(found['x-gitlab-size'] ?? 0) };
  }
}

function projectPath(project: string): string {
  return `/projects/${encodeURIComponent(project)}`;
}

function repositoryOf(answer: ForgeAnswer): ForgeRepository {
  const fullName = answer.text('path_with_namespace') ?? '';
  return {
    id: answer.whole('id'),
    account: fullName.slice(0, Math.max(fullName.lastIndexOf('/'), 0)),
    name: answer.text('path') ?? '',
    fullName,
    defaultBranch: answer.text('default_branch'),
  };
}
