/** The git object of each file by its path in the folder, if that comes from a repository. */
export type GitObjects = ReadonlyMap<string, GitBlob>;

/** A file of a repository; the path is relative to the root of the repository. */
export interface GitBlob {
  readonly oid: string;
  readonly path: string;
}
