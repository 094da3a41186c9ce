import { maxLength } from 'class-validator';
import SCIMMY from 'scimmy';
import { invalid } from '../../kernel/common/errors.js';
import { ROLES, type Role } from '../../kernel/common/roles.js';

// Identity providers send attributes of the enterprise extension as well: they are read, and not kept.
// The published types expect an instance where the library takes the class.
SCIMMY.Schemas.User.extend(SCIMMY.Schemas.EnterpriseUser as never, false);

export const USER_SCHEMA = SCIMMY.Schemas.User.id;
export const GROUP_SCHEMA = SCIMMY.Schemas.Group.id;

interface Value {
  readonly value?: string | undefined;
  readonly primary?: boolean | undefined;
}

/** The attributes of a user as they come in; others are ignored. */
export interface UserAttributes {
  readonly userName?: string | undefined;
  readonly externalId?: string | null | undefined;
  readonly displayName?: string | undefined;
  readonly name?:
    | {
        readonly formatted?: string | undefined;
        readonly givenName?: string | undefined;
        readonly familyName?: string | undefined;
      }
    | undefined;
  readonly emails?: readonly Value[] | undefined;
  readonly active?: boolean | undefined;
  readonly roles?: readonly Value[] | undefined;
}

/** Length of a name in characters, also of one that is made of its parts. */
export const MAX_DISPLAY_NAME = 200;

/** The name that a provider gives a person; undefined without one. Throws `invalid` for one that is too long. */
export function displayNameOf({ displayName, name }: UserAttributes): string | undefined {
  const parts = [name?.givenName, name?.familyName].filter((part) => part !== undefined && part.trim() !== '');
  const given = [displayName, name?.formatted, parts.join(' ')].map((text) => text?.trim()).find((text) => text);
  if (given !== undefined && !maxLength(given, MAX_DISPLAY_NAME))
    throw invalid('name', `must be shorter than or equal to ${MAX_DISPLAY_NAME} characters`);
  return given;
}

/** The primary address, or the first one, or the user name. */
export function provisionedAddress({ emails = [], userName }: UserAttributes): string {
  return chosen(emails)?.value ?? userName ?? '';
}

/** The role in the organization; undefined without one. Throws `invalid` for a value that is no role. */
export function roleOf({ roles = [] }: UserAttributes): Role | undefined {
  const value = chosen(roles)?.value;
  const role = ROLES.find((each) => each === value?.toLowerCase());
  if (value !== undefined && role === undefined) throw invalid('roles', `must be one of ${ROLES.join(', ')}`);
  return role;
}

function chosen(values: readonly Value[]): Value | undefined {
  return values.find(({ primary }) => primary === true) ?? values[0];
}

/** The library's cost grows with the square of a path, and with the product of operations and values. */
const MAX_USER_OPERATIONS = 100;
const MAX_USER_PATCH = 50_000;
export const MAX_PATH = 300;

/**
 * Applies the operations of a PATCH (RFC 7644, section 3.5.2) to a user; throws a `SCIMError` for one that cannot be
 * applied, and `invalid` for more than a user can need.
 */
export async function patchedUser(user: object, operations: readonly object[]): Promise<UserAttributes> {
  if (operations.length > MAX_USER_OPERATIONS || JSON.stringify(operations).length > MAX_USER_PATCH)
    throw invalid('Operations', `must be at most ${MAX_USER_OPERATIONS}, of ${MAX_USER_PATCH} characters in all`);
  operations.forEach((operation, index) => {
    const { path } = operation as { path?: unknown };
    if (typeof path === 'string' && path.length > MAX_PATH)
      throw invalid(`Operations.${index}.path`, `must be shorter than or equal to ${MAX_PATH} characters`);
  });
  const before = new SCIMMY.Schemas.User(user);
  const patch = new SCIMMY.Messages.PatchOp({
    schemas: [SCIMMY.Messages.PatchOp.id],
    Operations: operations.map(withFlags),
  } as never);
  return (await patch.apply(before)) ?? before;
}

/** Microsoft Entra ID writes the flag `active` as the text "True" or "False". */
function withFlags(operation: object): object {
  const { path, value } = operation as { path?: unknown; value?: unknown };
  if (typeof path === 'string' && path.toLowerCase() === 'active') return { ...operation, value: flag(value) };
  if (typeof value === 'object' && value !== null && 'active' in value)
    return { ...operation, value: { ...value, active: flag(value.active) } };
  return operation;
}

function flag(value: unknown): unknown {
  const text = typeof value === 'string' ? value.toLowerCase() : undefined;
  return text === 'true' || text === 'false' ? text === 'true' : value;
}

/**
 * Keeps the attributes that a caller asks for (`attributes`) or leaves out those that it does not want
 * (`excludedAttributes`), by their first names, in any case; `id` and `schemas` are always there.
 */
export function withAttributes<Resource extends object>(
  resource: Resource,
  { attributes, excludedAttributes }: { attributes?: string | undefined; excludedAttributes?: string | undefined },
): Resource {
  const wanted = attributes === undefined ? undefined : firstNames(attributes);
  const unwanted = firstNames(excludedAttributes ?? '');
  return Object.fromEntries(
    Object.entries(resource).filter(([name]) => {
      if (name === 'id' || name === 'schemas') return true;
      const key = name.toLowerCase();
      return wanted ? wanted.has(key) : !unwanted.has(key);
    }),
  ) as Resource;
}

function firstNames(list: string): ReadonlySet<string> {
  return new Set(
    list.split(',').map(
      (name) =>
        name
          .replace(/^urn:.*:/i, '')
          .split('.')[0]
          ?.trim()
          .toLowerCase() ?? '',
    ),
  );
}
