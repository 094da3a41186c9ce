import type { DatabaseConnection } from '../../kernel/common/connection.js';
import { randomCharacters } from '../../kernel/common/ids.js';
import { hashSecret, type Secrets } from '../../kernel/common/secrets.js';
import { LOCK_ORGANIZATION_NAME } from '../../publishing/sites/hostnames/organization-names.js';
import { HOSTNAME } from '../../identity/organizations/organizations.schema.js';
import { basenameFault, basenameOf, RESERVED_BASENAMES } from '../../publishing/sites/domain/paths.js';
import { numberedSlug, slugOf } from '../../authoring/content/domain/slug.js';
import type { MatchedPeople } from './people.js';
import type { ArchivedRow } from './row-values.js';

/** The place that an organization is imported into. */
export interface RulePlace {
  readonly client: DatabaseConnection;
  readonly secrets: Secrets;
  readonly people: MatchedPeople;
  /** An operator answers for the archive. */
  readonly isTrusted: boolean;
  /** The number from which on names of sites are free, by the name that they want. */
  readonly basenames: Map<string, number>;
  /** Names of sites that the archive has taken. */
  readonly givenBasenames: Set<string>;
  /** Notes what is not as it was, for the report. */
  readonly note: (line: string) => void;
  /** Notes a person whose membership waits, by the id in the archive. */
  readonly wait: (person: string) => void;
}

/** Changes a row, whose ids are those of the archive, before it is stored; returns false for one that is left out. */
type Rule = (row: ArchivedRow, place: RulePlace) => Promise<boolean> | boolean;

const SHARE_KEY_LENGTH = 22;
const SITE_KEY_LENGTH = 43;
const WEBHOOK_KEY_LENGTH = 40;
/** Characters of a name that a note shows. */
const MOST_NAME = 100;

/** Bytes as PostgreSQL reads them. */
const bytea = (bytes: Buffer): string => `\\x${bytes.toString('hex')}`;

const exists = async ({ client }: RulePlace, condition: string, value: unknown): Promise<boolean> =>
  ((await client.query(`SELECT WHERE EXISTS (SELECT FROM ${condition})`, [value])).rowCount ?? 0) > 0;

const textIn = (row: ArchivedRow, name: string): string => (typeof row[name] === 'string' ? row[name] : '');

/** A text for a note, which may be as long as a line of the archive. */
function nameIn(row: ArchivedRow, name: string): string {
  const text = textIn(row, name);
  return text.length > MOST_NAME ? `${text.slice(0, MOST_NAME)}…` : text;
}

/** Names of the installation that another row has, states of work that nobody does here, and new secrets. */
export const ROW_RULES: Readonly<Record<string, Rule>> = {
  async organization(row, place) {
    if (!place.isTrusted && JSON.stringify(row['ip_allow_list'] ?? []) !== '[]') {
      // It may lack the address of the person who imports, who would never come in.
      row['ip_allow_list'] = [];
      place.note('All addresses reach the organization: set its list of addresses again.');
    }
    const hostname = textIn(row, 'hostname');
    if (hostname === '' || (place.isTrusted && (await isFreeSubdomain(place, hostname)))) return true;
    const name = nameIn(row, 'hostname');
    row['hostname'] = null;
    place.note(
      place.isTrusted
        ? `The subdomain ${name} is taken: the organization has none.`
        : 'The organization has no subdomain: choose one again.',
    );
    return true;
  },
  member(row, { people, wait }) {
    const person = textIn(row, 'user_id');
    const isDisabled = people.disabled.has(person);
    if (isDisabled || people.strangers.has(person)) wait(person);
    row['disabled'] ??= false;
    if (isDisabled) row['disabled'] = true;
    if (people.unmarked.has(person)) row['sso'] = false;
    return true;
  },
  scim_user(row, { people }) {
    // By this mark a provider may change the address of an account.
    if (people.known.has(textIn(row, 'user_id'))) row['owns_account'] = false;
    return true;
  },
  identity_provider(row, place) {
    if (row['protocol'] !== 'oidc') return true;
    row['status'] = 'pending';
    place.note(`The identity provider ${nameIn(row, 'label')} needs its client secret again.`);
    return true;
  },
  async site(row, place) {
    const basename = textIn(row, 'basename');
    const free = await freeBasename(place, basename);
    if (free !== basename)
      place.note(`The site ${nameIn(row, 'title')} is at ${free}, because ${nameIn(row, 'basename')} is taken.`);
    row['basename'] = free;
    if (row['proxy'] !== null && (await exists(place, 'site WHERE lower(proxy) = lower($1)', row['proxy']))) {
      place.note(`The site ${nameIn(row, 'title')} has no proxy, because another site is at ${nameIn(row, 'proxy')}.`);
      row['proxy'] = null;
    }
    return true;
  },
  async site_former_basename(row, place) {
    return !(await exists(place, 'site_former_basename WHERE basename = $1', row['basename']));
  },
  site_share_link(row, { secrets, note }) {
    const key = randomCharacters(SHARE_KEY_LENGTH);
    Object.assign(row, { key_hash: bytea(hashSecret(key)), key_sealed: bytea(secrets.encrypt(key)) });
    note(`The share link ${nameIn(row, 'name')} has a new address.`);
    return true;
  },
  site_publishing_auth(row, { secrets }) {
    row['key_sealed'] = bytea(secrets.encrypt(randomCharacters(SITE_KEY_LENGTH)));
    return true;
  },
  webhook(row, { secrets, note }) {
    row['secret'] = bytea(secrets.encrypt(`whsec_${randomCharacters(WEBHOOK_KEY_LENGTH)}`));
    row['active'] = false;
    note(`The webhook ${nameIn(row, 'url')} is off, and has a new secret.`);
    return true;
  },
  translation(row) {
    row['status'] = 'completed';
    return true;
  },
  conversation_issue(row) {
    // The model by which issues find their clusters is made anew, and begins to count.
    row['model_version'] = 0;
    return true;
  },
  openapi_spec(row) {
    if (row['state'] !== 'complete')
      Object.assign(row, { state: 'pending', due_at: new Date().toISOString(), attempts: 0 });
    return true;
  },
};

/** Columns that rules give their values, whether the archive has them or not. */
export const MADE_COLUMNS: Readonly<
  Record<string, readonly { readonly name: string; readonly type: string; readonly isRequired: true }[]>
> = {
  member: [{ name: 'disabled', type: 'boolean', isRequired: true }],
  site_share_link: [
    { name: 'key_hash', type: 'bytea', isRequired: true },
    { name: 'key_sealed', type: 'bytea', isRequired: true },
  ],
  site_publishing_auth: [{ name: 'key_sealed', type: 'bytea', isRequired: true }],
  webhook: [{ name: 'secret', type: 'bytea', isRequired: true }],
};

/** Tells whether no organization has a subdomain, and no site a hostname that may be the same; holds it until the end. */
async function isFreeSubdomain(place: RulePlace, hostname: string): Promise<boolean> {
  if (!HOSTNAME.test(hostname)) return false;
  await place.client.query(LOCK_ORGANIZATION_NAME, [hostname]);
  return (
    !(await exists(place, 'organization WHERE hostname = $1', hostname)) &&
    !(await exists(place, `custom_hostname WHERE split_part(hostname, '.', 1) = $1`, hostname))
  );
}

/** The basename itself, or with the first number with which it is neither reserved nor taken. */
async function freeBasename(place: RulePlace, basename: string): Promise<string> {
  const wanted = basenameFault(basename) === undefined ? basename : basenameOf(slugOf(basename));
  for (let number = place.basenames.get(wanted) ?? 0; ; number++) {
    const name = numberedSlug(wanted, number);
    const spelling = name.toLowerCase();
    // The sites of the present part of the archive are not stored yet.
    const isTaken = RESERVED_BASENAMES.has(spelling) || place.givenBasenames.has(spelling);
    if (isTaken || (await exists(place, 'site WHERE lower(basename) = $1', spelling))) continue;
    place.basenames.set(wanted, number + 1);
    place.givenBasenames.add(spelling);
    return name;
  }
}
