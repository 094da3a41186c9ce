import { createHmac } from 'node:crypto';
import { IdSet } from './id-set.js';

/** The id of a row: lines of the audit log have UUIDs. */
const ROW_ID = '[A-Za-z][0-9A-Za-z]{19}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const WHOLE = new RegExp(`^(?:${ROW_ID})$`);
/** Ids that stand by themselves in a text; a part of a longer word is none. */
const WITHIN = new RegExp(`(?<![0-9A-Za-z])(?:${ROW_ID})(?![0-9A-Za-z])`, 'g');
const UUID_PARTS = /^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/;
const LENGTH = 20;
/** The time, and so much of the rest that ids of one moment are sorted as before. */
const KEPT_LENGTH = 12;
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

export const isRowId = (value: unknown): value is string =>
  typeof value === 'string' && value.length >= LENGTH && WHOLE.test(value);

/** The ids of an archive, and those that their rows have here. */
export class IdMapping {
  /** Ids that rows of the archive have. */
  readonly ids = new IdSet();
  private readonly given = new Map<string, string>();
  private key: Buffer | undefined;

  /** Gives all rows new ids, which follow from the key. Those that are given otherwise have to be given after it. */
  renew(key: Buffer): void {
    this.key = key;
    this.given.clear();
  }

  get isRenewing(): boolean {
    return this.key !== undefined;
  }

  /** Gives a row the id that it has here, such as a person that of an account. */
  give(id: string, here: string): void {
    if (id !== here) this.given.set(id, here);
  }

  /** True where every id stays as it is. */
  get changesNothing(): boolean {
    return this.key === undefined && this.given.size === 0;
  }

  of(id: string): string {
    const given = this.given.get(id);
    if (given !== undefined) return given;
    return this.key !== undefined && this.ids.has(id) ? this.renewed(id, this.key) : id;
  }

  /** A text with all ids in it replaced: the text may be an id, or an address or a sentence with some. */
  replaced(text: string): string {
    return text.length < LENGTH ? text : text.replace(WITHIN, (id) => this.of(id));
  }

  /** Its beginning stays: lists that are sorted by id go as before. */
  private renewed(id: string, key: Buffer): string {
    const digest = createHmac('sha256', key).update(id).digest();
    if (id.includes('-')) return digest.toString('hex').replace(UUID_PARTS, '$1-$2-$3-$4-$5');
    let text = id.slice(0, KEPT_LENGTH);
    for (let at = 0; at < LENGTH - KEPT_LENGTH; at++)
      text += ALPHABET.charAt(digest.readUInt16BE(at * 2) % ALPHABET.length);
    return text;
  }
}
