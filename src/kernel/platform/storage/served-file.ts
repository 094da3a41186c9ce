/** A file as described by the module that owns it. */
export interface ServedFile {
  /** SHA-256 of the bytes in hexadecimal. */
  readonly hash: string;
  readonly name: string;
  readonly contentType: string;
  readonly size: number;
  /** `public`: readable by its bare address too. */
  readonly visibility: 'signed' | 'public';
  /** The organization whose public sites show it; a file without one is not sent while the database is away. */
  readonly organizationId?: string;
}
