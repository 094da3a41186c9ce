import { get, send, useList, type ListPage, type Schemas } from '../../api/client.js';
import type { paths } from '../../api/schema.js';
import type { Holder } from '../candidates.js';
import type { Space } from '../queries.js';

/** A thing on which people and teams have roles. Sites have no level of their own. */
export interface Governed {
  readonly object: 'space' | 'collection' | 'site';
  readonly id: string;
  readonly title: string;
  readonly organization: string;
  readonly defaultLevel: Space['defaultLevel'];
  readonly permissions: Readonly<{ admin: boolean }>;
}
export type GovernedProps = Readonly<{ thing: Governed }>;
export type Permission = Schemas['UserPermissionBody']['permission'];
export type Explanation = Schemas['PermissionExplanationBody'];

/** A row of a list of permissions, by the id of the person or the team. */
interface Held {
  readonly id: string;
  readonly name: string;
  readonly email?: string;
  readonly permission: Permission;
}

const PERMISSIONS = '/v1/spaces/{spaceId}/permissions';

/** Operations on permissions are the same for spaces, collections and sites; they are named here as those of spaces. */
const at = <Path extends keyof paths>({ object, organization }: Governed, path: Path): Path => {
  const parent = { space: '/v1/spaces/', collection: '/v1/collections/', site: `/v1/orgs/${organization}/sites/` }[
    object
  ];
  return path.replace('/v1/spaces/', parent) as Path;
};

/** The beginning of the keys of all that is read about the access to a thing. */
export const accessKey = ({ id }: Governed) => ['access', id] as const;

const rowsOf = <Item>(page: ListPage<Item>, row: (item: Item) => Held): ListPage<Held> => ({
  ...page,
  items: page.items.map(row),
});
const ofPerson = ({ permission, user }: Schemas['UserPermissionBody']): Held => ({
  id: user.id,
  name: user.displayName,
  ...(user.email !== undefined && { email: user.email }),
  permission,
});
const ofTeam = ({ permission, team }: Schemas['TeamPermissionBody']): Held => ({
  id: team.id,
  name: team.title,
  permission,
});

/** Everybody who has access, with the role that results from all rules. */
export function useEverybody(thing: Governed) {
  const path = { spaceId: thing.id };
  return useList<Held>([...accessKey(thing), 'everybody'], async (page) =>
    rowsOf(await get(at(thing, `${PERMISSIONS}/aggregate`), path, { page }), ofPerson),
  );
}

/** The people or the teams with a role of their own. */
export function useGrants(thing: Governed, holder: Holder) {
  const path = { spaceId: thing.id };
  return useList<Held>([...accessKey(thing), holder], async (page) =>
    holder === 'users'
      ? rowsOf(await get(at(thing, `${PERMISSIONS}/users`), path, { page }), ofPerson)
      : rowsOf(await get(at(thing, `${PERMISSIONS}/teams`), path, { page }), ofTeam),
  );
}

/** All rules by which a person has a role. */
export function explain(thing: Governed, userId: string): Promise<Explanation> {
  return get(at(thing, `${PERMISSIONS}/users/{userId}/explanation`), { spaceId: thing.id, userId });
}

/** Gives people or teams a role. */
export function give(thing: Governed, holder: Holder, ids: readonly string[], role: Permission): Promise<unknown> {
  return send('post', at(thing, PERMISSIONS), { spaceId: thing.id }, { role, [holder]: [...ids] });
}

/** Changes the role of a person or a team. */
export function change(thing: Governed, holder: Holder, id: string, role: Permission): Promise<unknown> {
  const path = { spaceId: thing.id };
  return holder === 'users'
    ? send('patch', at(thing, `${PERMISSIONS}/users/{userId}`), { ...path, userId: id }, { role })
    : send('patch', at(thing, `${PERMISSIONS}/teams/{teamId}`), { ...path, teamId: id }, { role });
}

/** Takes the role of a person or a team; what they inherit applies from then on. */
export function take(thing: Governed, holder: Holder, id: string): Promise<unknown> {
  const path = { spaceId: thing.id };
  return holder === 'users'
    ? send('delete', at(thing, `${PERMISSIONS}/users/{userId}`), { ...path, userId: id })
    : send('delete', at(thing, `${PERMISSIONS}/teams/{teamId}`), { ...path, teamId: id });
}

/** Changes the access that everybody has who was given no role. */
export function changeLevel(thing: Governed, defaultLevel: Governed['defaultLevel']): Promise<unknown> {
  return send('patch', at(thing, '/v1/spaces/{spaceId}'), { spaceId: thing.id }, { defaultLevel });
}
