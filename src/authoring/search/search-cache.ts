import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Cache } from '../../kernel/common/cache.js';
import { Database } from '../../kernel/common/database.js';
import { Immutable } from '../../kernel/common/envelope.interceptor.js';

/** All that changes the index of some spaces, the words of their organization, and whether the spaces are there. */
const STATE = `SELECT json_agg(json_build_array(s.id, s.sequence, s.language, s.is_transferred, s.deleted_at, c.versions, c.due_at) ORDER BY s.id)::text AS spaces,
    (SELECT u.updated_at FROM search_synonyms u WHERE u.organization_id = $2)::text AS synonyms
  FROM space s LEFT JOIN computed_index c ON c.space_id = s.id WHERE s.id = ANY ($1::text[])`;

interface Known {
  readonly value: object;
  readonly bytes: number;
}

/** Keeps what searches have found, by the state of the index in which they have found it. */
@Injectable()
export class SearchCache {
  private readonly known = new Cache<Known>({ share: 8, weigh: ({ bytes }) => bytes });

  constructor(private readonly database: Database) {}

  /** The state of what is found in some spaces: read before it is looked for, so that what is kept is never older than it. */
  async stateOf(organizationId: string, spaces: readonly string[]): Promise<string> {
    const row = await this.database.one<{ spaces: string | null; synonyms: string | null }>(STATE, [
      spaces,
      organizationId,
    ]);
    return `${row?.spaces} ${row?.synonyms}`;
  }

  /** Returns what is known by a key (`keyOf`), or makes it. Nothing is kept without a key. */
  async get<Value extends object>(key: string | undefined, make: () => Promise<Value>): Promise<Value> {
    const known = key === undefined ? undefined : this.known.get(key);
    if (known) return known.value as Value;
    const value = await make();
    if (key !== undefined) this.known.set(key, { value, bytes: sizeOf(value) });
    return value;
  }

  /** The same of the body of an answer. */
  answer(key: string | undefined, make: () => Promise<object>): Promise<Immutable> {
    return this.get(key, async () => {
      const bytes = Buffer.from(JSON.stringify(await make()));
      return new Immutable(bytes, `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`);
    });
  }
}

const sizeOf = (value: object): number =>
  value instanceof Immutable ? value.bytes.length : 2 * JSON.stringify(value).length;

/** The key of what follows from some facts. */
export const keyOf = (...facts: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(facts)).digest('base64');
