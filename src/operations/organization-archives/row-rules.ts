import { randomCharacters } from '../../kernel/common/ids.js';
import { hashSecret, type Secrets } from '../../kernel/common/secrets.js';
import type { InstallationNames } from './installation-names.js';
import type { MatchedPeople } from './people.js';
import { nameIn, textOfColumn, type ArchivedRow } from './row-values.js';

/** The place that an organization is imported into. */
export interface RulePlace {
  readonly secrets: Secrets;
  readonly people: MatchedPeople;
  /** An operator answers for the archive. */
  readonly isTrusted: boolean;
  readonly names: InstallationNames;
  /** Notes what is not as it was, for the report. */
  readonly note: (line: string) => void;
  /** Notes a person whose membership waits, by the id in the archive. */
  readonly wait: (person: string) => void;
}

/** Changes a row, whose ids are those of the archive, before it is stored; returns false for one that is left out. */
type Rule = (row: ArchivedRow, place: RulePlace) => boolean;

const SHARE_KEY_LENGTH = 22;
const SITE_KEY_LENGTH = 43;
const WEBHOOK_KEY_LENGTH = 40;

/** Bytes as PostgreSQL reads them. */
const bytea = (bytes: Buffer): string => `\\x${bytes.toString('hex')}`;

/** Names of the installation that another row has, states of work that nobody does here, and new secrets. */
export const ROW_RULES: Readonly<Record<string, Rule>> = {
  organization(row, place) {
    if (!place.isTrusted && JSON.stringify(row['ip_allow_list'] ?? []) !== '[]') {
      // It may lack the address of the person who imports, who would never come in.
      row['ip_allow_list'] = [];
      place.note('All addresses reach the organization: set its list of addresses again.');
    }
    if (textOfColumn(row, 'hostname') === '') return true;
    if (place.isTrusted) place.names.holdHostname(row);
    else place.note('The organization has no subdomain: choose one again.');
    row['hostname'] = null;
    return true;
  },
  member(row, { people, wait }) {
    const person = textOfColumn(row, 'user_id');
    const isDisabled = people.disabled.has(person);
    if (isDisabled || people.strangers.has(person)) wait(person);
    row['disabled'] ??= false;
    if (isDisabled) row['disabled'] = true;
    if (people.unmarked.has(person)) row['sso'] = false;
    return true;
  },
  scim_user(row, { people }) {
    // By this mark a provider may change the address of an account.
    if (people.known.has(textOfColumn(row, 'user_id'))) row['owns_account'] = false;
    return true;
  },
  identity_provider(row, place) {
    if (row['protocol'] !== 'oidc') return true;
    row['status'] = 'pending';
    place.note(`The identity provider ${nameIn(row, 'label')} needs its client secret again.`);
    return true;
  },
  site(row, { names }) {
    names.holdSite(row);
    return true;
  },
  site_former_basename(row, { names }) {
    names.holdFormerBasename(row);
    return false;
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
