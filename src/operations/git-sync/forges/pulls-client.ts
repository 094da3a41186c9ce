import type { ForgeAnswer } from './forge-answer.js';
import { unlessRefused, type ForgeHttp, type Paging } from './forge-http.js';
import type { ForgePull, ForgePulls, ForgeStatus, NewPull, OwnComment, PullTexts } from './forge.js';

/** Statuses by which forges answer for a comment that is gone. */
const GONE = [404, 410];
/** Statuses by which forges refuse a pull request: there is one already, or nothing is in it. */
const NOT_MADE = [400, 409, 422];

/** The client for the pull requests of a repository, without the paths and names of a forge. */
export abstract class PullsClient implements ForgePulls {
  protected abstract readonly paging: Paging;

  constructor(
    protected readonly http: ForgeHttp,
    protected readonly repository: string,
  ) {}

  /** The path of the pull requests. */
  protected abstract get pulls(): string;
  /** The open ones against a branch, as far as the forge can filter them. */
  protected abstract openQuery(branch: string): string;
  protected abstract pullOf(answer: ForgeAnswer): ForgePull;
  /** The path of the comments of a pull request. */
  protected abstract commentsPath(number: number): string;
  protected abstract bodyOfComment(text: string): object;
  /** Undefined for one that was deleted. */
  protected abstract textOfComment(answer: ForgeAnswer): string | undefined;
  protected abstract changeComment(number: number, id: string, body: object): Promise<ForgeAnswer>;
  protected abstract bodyOfPull(pull: NewPull): object;

  async open(branch: string): Promise<ForgePull[]> {
    const found = (await this.http.list(`${this.pulls}?${this.openQuery(branch)}`, this.paging)) ?? [];
    const pulls = found.map((each) => this.pullOf(each)).filter(({ target }) => target === branch);
    const whole: ForgePull[] = [];
    for (const pull of pulls) whole.push(await this.complete(pull));
    return whole;
  }

  async pull(number: number): Promise<ForgePull | undefined> {
    const found = await this.http.find(`${this.pulls}/${number}`);
    return found && this.complete(this.pullOf(found));
  }

  async create(pull: NewPull): Promise<ForgePull | undefined> {
    const made = await unlessRefused(this.http.post(this.pulls, this.bodyOfPull(pull)), NOT_MADE);
    return made && this.complete(this.pullOf(made));
  }

  async tell(number: number, { id, text, marker }: OwnComment): Promise<string> {
    if (id !== null && (await this.edit(number, id, text))) return id;
    const listed = (await this.http.list(this.commentsPath(number), this.paging)) ?? [];
    const known = listed.find((each) => this.textOfComment(each)?.startsWith(marker) === true);
    if (known && (await this.edit(number, idOf(known), text))) return idOf(known);
    return idOf(await this.http.post(this.commentsPath(number), this.bodyOfComment(text)));
  }

  abstract mergeBase(pull: ForgePull, commit: string): Promise<string | undefined>;
  abstract setStatus(oid: string, status: ForgeStatus): Promise<void>;
  abstract rename(number: number, texts: PullTexts): Promise<void>;
  abstract merge(number: number, head: string): Promise<boolean>;
  abstract close(number: number): Promise<void>;

  /** Adds what an answer about a pull request leaves out. */
  protected async complete(pull: ForgePull): Promise<ForgePull> {
    return pull;
  }

  /** False where the comment is gone. */
  private async edit(number: number, id: string, text: string): Promise<boolean> {
    const changed = this.changeComment(number, id, this.bodyOfComment(text));
    return (await unlessRefused(changed, GONE)) !== undefined;
  }
}

function idOf(answer: ForgeAnswer): string {
  return String(answer.whole('id'));
}
