/** A repository as a forge lists it. */
export interface ForgeRepository {
  readonly id: number;
  /** The account or group that owns it. */
  readonly account: string;
  readonly name: string;
  readonly fullName: string;
  readonly defaultBranch: string | undefined;
}

export interface ForgeBranch {
  readonly name: string;
}

/** A file at a ref. */
export interface ForgeFile {
  readonly name: string;
  readonly path: string;
  readonly sha: string;
  readonly size: number;
}

/** The repositories of a forge by which a space can be connected, as its access token sees them. */
export interface ForgeRepositories {
  /** Those that the token may write to: the first 1,000. */
  repositories(): Promise<ForgeRepository[]>;
  /** The address for cloning; undefined for an id that the token does not see. */
  addressOf(id: number): Promise<string | undefined>;
  /** Undefined for a repository that the token does not see. */
  branches(repository: string): Promise<ForgeBranch[] | undefined>;
  /** Undefined where there is no such file. */
  file(repository: string, path: string, ref: string): Promise<ForgeFile | undefined>;
}

/** A pull request, as a forge has it now. */
export interface ForgePull {
  readonly number: number;
  readonly title: string;
  readonly description: string;
  /** The name of whoever has opened it at the forge. */
  readonly author: string;
  /** The address of its page at the forge. */
  readonly url: string | undefined;
  readonly state: 'open' | 'closed' | 'merged';
  /** Its last commit. */
  readonly head: string;
  /** The ref by which that is fetched from the repository; undefined where it is in another one. */
  readonly ref: string | undefined;
  /** The name of its branch; undefined for one of another repository. */
  readonly source: string | undefined;
  /** The name of the branch that it is to be merged into. */
  readonly target: string;
  /** The commit at which it has left that branch, where the forge says so at once. */
  readonly mergeBase: string | undefined;
  /** The commit on that branch that has merged it. */
  readonly mergedAs: string | undefined;
}

/** The status of a commit; each forge has its own names for the states. */
export interface ForgeStatus {
  readonly state: 'pending' | 'success' | 'failure';
  readonly description: string;
  readonly url: string;
}

/** The title of a pull request, and its text as Markdown. */
export interface PullTexts {
  readonly title: string;
  readonly text: string;
}

/** A pull request that is to be opened, between two branches of the repository by their names. */
export interface NewPull extends PullTexts {
  readonly source: string;
  readonly target: string;
}

/** Our comment on a pull request. */
export interface OwnComment {
  /** As it was written last; null where that is not known. */
  readonly id: string | null;
  readonly text: string;
  /** The beginning of the text, which tells it from the comments of others. */
  readonly marker: string;
}

/** The pull requests of one repository. */
export interface ForgePulls {
  /** The open ones against a branch: the first 1,000, or less. */
  open(branch: string): Promise<ForgePull[]>;
  /** Undefined where there is none of this number. */
  pull(number: number): Promise<ForgePull | undefined>;
  /** Undefined where the forge refuses it: there is one from this branch already, or nothing is in it. */
  create(pull: NewPull): Promise<ForgePull | undefined>;
  rename(number: number, texts: PullTexts): Promise<void>;
  /** The commit at which a pull request has left a commit of its branch. */
  mergeBase(pull: ForgePull, commit: string): Promise<string | undefined>;
  setStatus(oid: string, status: ForgeStatus): Promise<void>;
  /** Changes our comment, which is found by its marker where its id is not known or gone, or makes it; returns its id. */
  tell(number: number, comment: OwnComment): Promise<string>;
  /** Merges it, if `head` is its last commit still. False where the forge refuses. */
  merge(number: number, head: string): Promise<boolean>;
  close(number: number): Promise<void>;
}

/** The name of our status among those of a commit. */
export const STATUS_NAME = 'bindery/documentation';

/** Statuses by which forges refuse a merge: rules, conflicts, other commits. */
export const REFUSALS: readonly number[] = [400, 403, 405, 406, 409, 412, 422];
