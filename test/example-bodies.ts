import type { Ids } from './permissions/world.js';

/** What examples call everything that has an id. */
const PLACEHOLDER = 'AbCdEfGh0123456789Xy';
/** The things that fields of bodies name, where their names do not say it by themselves. */
const NAMED: Readonly<Record<string, string>> = {
  parent: 'targetId',
  collection: 'targetId',
  spaces: 'spaceId',
  members: 'userId',
  users: 'userId',
  remove: 'userId',
  teams: 'teamId',
  organization: 'organizationId',
};

/** An example with ids of things that exist, where something of that name does. */
export function filled(value: unknown, ids: Ids, name = ''): unknown {
  if (value === PLACEHOLDER) return ids[NAMED[name] ?? `${name}Id`] ?? ids[name] ?? value;
  if (Array.isArray(value)) return value.map((each) => filled(each, ids, name));
  if (typeof value !== 'object' || value === null) return value;
  const { type } = value as { type?: unknown };
  const ownName = typeof type === 'string' ? type.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase()) : '';
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, filled(each, ids, key === 'id' ? ownName : key)]),
  );
}
