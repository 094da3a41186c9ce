import { randomUUID } from 'node:crypto';
import { isEmail } from 'class-validator';
import { isNoAddress, noAddress } from '../../identity/users/domain/no-address.js';
import { IMPORT_PEOPLE, KNOWN_PEOPLE } from '../../identity/users/imported-people.statements.js';
import type { DatabaseConnection } from '../../kernel/common/connection.js';
import { EMAIL_RULES, isUrlOfField } from '../../kernel/common/fields.js';
import { batchesWithin } from '../../kernel/common/batches.js';
import { isId, newId } from '../../kernel/common/ids.js';
import { ArchiveFault } from './archive-source.js';
import type { IdMapping } from './id-mapping.js';
import type { InstallationNames } from './installation-names.js';
import { isArchivedTime, type PlacedRow } from './row-values.js';

/** A person of an archive. */
export interface ArchivedPerson {
  readonly id: string;
  readonly displayName: string;
  readonly email: string;
  readonly photoUrl: string | null;
  readonly isDisabled: boolean;
  readonly createdAt: string;
}

/** The people of an archive as they are here. */
export interface MatchedPeople {
  /** Ids in the archive of those with an account here. */
  readonly known: ReadonlySet<string>;
  /** Ids in the archive of those whose membership is disabled until an administrator enables it. */
  readonly disabled: ReadonlySet<string>;
  /** Ids in the archive of those who only stay the authors of what they wrote: they become no members. */
  readonly strangers: ReadonlySet<string>;
  /** Ids in the archive of those whom the providers of the organization may not identify, as none of them has agreed. */
  readonly unmarked: ReadonlySet<string>;
}

const MOST_NAME = 1000;
/** Characters of the address of a photo; people come without a longer one, and without what is no address. */
const MOST_PHOTO = 2048;
/** People in one statement. */
const BATCH = 1000;
/** Half of a pair of code units, which no database stores. */
const HALF = /\p{Surrogate}/u;

export function readPerson({ row, place }: PlacedRow): ArchivedPerson {
  const { id, display_name: displayName, email, photo_url: photoUrl, disabled, created_at: createdAt } = row;
  if (!isId(id)) throw new ArchiveFault(place, 'id is no id');
  if (typeof email !== 'string' || email.length > 320 || !isEmail(email, EMAIL_RULES))
    throw new ArchiveFault(place, 'email is no e-mail address');
  if (typeof displayName !== 'string' || displayName.length > MOST_NAME)
    throw new ArchiveFault(place, `display_name must be a text of at most ${MOST_NAME} characters`);
  for (const text of [displayName, email, photoUrl])
    if (typeof text === 'string' && HALF.test(text)) throw new ArchiveFault(place, 'must be well-formed Unicode');
  if (!isArchivedTime(createdAt)) throw new ArchiveFault(place, 'created_at is no time');
  return {
    id,
    displayName,
    email,
    photoUrl: isPhoto(photoUrl) ? photoUrl : null,
    isDisabled: disabled === true,
    createdAt,
  };
}

const isPhoto = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= MOST_PHOTO && isUrlOfField(value);

interface Known {
  readonly given: string;
  readonly id: string;
  readonly isProven: boolean;
  readonly isUsed: boolean;
}

/** The rules by which people of an archive become members. */
export interface MemberAdmission {
  /** The operator answers for the archive. Otherwise nobody but `userId` becomes a member. */
  readonly isTrusted: boolean;
  readonly userId: string | undefined;
}

/**
 * Gives people accounts here, and notes their ids. An operator's archive finds those that there are by their addresses, and
 * makes the others without a way in: their owners prove the address first. Whoever else brings an archive learns from
 * nothing who has an account here: all people but that person become authors alone, by the names of the archive.
 */
export async function matchPeople(
  client: DatabaseConnection,
  people: readonly ArchivedPerson[],
  mapping: IdMapping,
  names: InstallationNames,
  admission: MemberAdmission,
): Promise<MatchedPeople> {
  const matched = {
    known: new Set<string>(),
    disabled: new Set<string>(),
    strangers: new Set<string>(),
    unmarked: new Set<string>(),
  };
  const { isTrusted, userId } = admission;
  for (const batch of batchesWithin(people, BATCH, () => 1)) {
    const found = isTrusted
      ? await accountsOf(client, batch, mapping, names)
      : await authorsOf(client, batch, mapping, userId ?? '');
    for (const person of batch) {
      const account = found.get(person.email);
      if (account) matched.known.add(person.id);
      if (!isTrusted) {
        // An archive may come with a provider of somebody else, who would sign in as the person who imports it.
        (account ? matched.unmarked : matched.strangers).add(person.id);
        continue;
      }
      const isDoubtful = account?.isUsed === true && !account.isProven;
      if (person.isDisabled || isDoubtful) matched.disabled.add(person.id);
      if (isDoubtful) matched.unmarked.add(person.id);
    }
  }
  return matched;
}

/** Makes people authors, but the one who imports, by address; notes the ids of all. Nobody else's account is looked at. */
async function authorsOf(
  client: DatabaseConnection,
  people: readonly ArchivedPerson[],
  mapping: IdMapping,
  userId: string,
): Promise<ReadonlyMap<string, Known>> {
  const { rows } = await client.query<Known>(KNOWN_PEOPLE, [people.map(({ email }) => email), userId]);
  const found = new Map(rows.map((row) => [row.given, row]));
  for (const { email, id, createdAt } of people) mapping.give(id, found.get(email)?.id ?? newId(Date.parse(createdAt)));
  const authors = people.filter(({ email }) => !found.has(email));
  await client.query(IMPORT_PEOPLE, [
    JSON.stringify(authors.map((person) => rowOf(person, mapping.of(person.id), noAddress(randomUUID())))),
  ]);
  return found;
}

const rowOf = (person: ArchivedPerson, id: string, email: string) => ({
  id,
  email,
  display_name: person.displayName,
  photo_url: person.photoUrl,
  created_at: person.createdAt,
  // Nobody can prove the address of an author, who may also come from an installation that has imported them.
  disabled: isNoAddress(email),
});

/** The accounts that some people have here, by address; makes those of the others, and notes the ids of all. */
async function accountsOf(
  client: DatabaseConnection,
  people: readonly ArchivedPerson[],
  mapping: IdMapping,
  names: InstallationNames,
): Promise<ReadonlyMap<string, Known>> {
  const { rows } = await client.query<Known>(KNOWN_PEOPLE, [people.map(({ email }) => email), null]);
  const found = new Map(rows.map((row) => [row.given, row]));
  const missing = people.filter(({ email }) => !found.has(email));
  const taken = await client.query<{ id: string }>('SELECT id FROM account WHERE id = ANY ($1)', [
    missing.map(({ id }) => id),
  ]);
  const unavailable = new Set(taken.rows.map(({ id }) => id));
  const made = missing.map((person) => ({
    person,
    id: mapping.isRenewing || unavailable.has(person.id) ? newId(Date.parse(person.createdAt)) : person.id,
  }));
  await client.query(IMPORT_PEOPLE, [
    JSON.stringify(
      made.map(({ person, id }) => ({
        ...rowOf(person, id, person.email),
        email: names.holdAddress(id, person.email),
      })),
    ),
  ]);
  for (const { person, id } of made) mapping.give(person.id, id);
  for (const { id, email } of people) mapping.give(id, found.get(email)?.id ?? mapping.of(id));
  return found;
}
