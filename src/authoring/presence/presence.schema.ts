import { ApiExtraModels, getSchemaPath } from '@nestjs/swagger';
import type { SpaceAccess } from '../../kernel/access/access.service.js';
import type { Addresses } from '../../kernel/common/addresses.js';
import { Flag, Id, Nested, ObjectName, Text, Amount } from '../../kernel/common/fields.js';
import { presentUserTo, UserBody, type UserFacts } from '../../identity/users/users.schema.js';

/** Names of windows: any text without a meaning. */
export const CLIENT = /^[\w-]{1,64}$/;
export const CLIENT_FAULT = 'must have 1 to 64 letters, digits, - or _';

export class PresenceQuery {
  @Text({
    optional: true,
    pattern: CLIENT,
    patternMessage: CLIENT_FAULT,
    description: 'The window that is open as long as the stream, as in the path of where it is',
    example: 'k3v9x2',
  })
  client?: string;
  @Id({ optional: true, description: 'The id or number of the change request whose revisions are told of' })
  changeRequest?: string;
}

export class StatePresence {
  @Id({ optional: true, description: 'The page that the window shows' })
  page?: string;
  @Id({ optional: true, description: 'The id or number of the change request that it shows; absent for the space' })
  changeRequest?: string;
  @Flag({ optional: true, description: 'The person writes the page' })
  writing?: boolean;
  @Text({ optional: true, max: 100, description: 'The key of the block that the person is in', example: 'aBcD012345' })
  block?: string;
}

class PresentRequest {
  @Id()
  id: string;
  @Amount({ min: 1, example: 12 })
  number: number;
}

class PresentPerson {
  @Text({ description: 'The window: a person may have several', example: 'k3v9x2' })
  client: string;
  @Nested(() => UserBody)
  user: UserBody;
  @Nested(() => PresentRequest, {
    optional: true,
    description: 'The change request that the person looks at; absent for the present content of the space',
  })
  changeRequest?: PresentRequest;
  @Id({ optional: true, description: 'The page, where it is one that the reader of the stream sees' })
  page?: string;
  @Flag({ description: 'The person writes the page' })
  writing: boolean;
  @Text({ optional: true, description: 'The key of the block that the person is in', example: 'aBcD012345' })
  block?: string;
}

export class PresenceBody {
  @ObjectName('presence')
  object: 'presence';
  @Nested(() => PresentPerson, {
    list: true,
    description: 'The windows of all people in the space, at most 100, by person',
  })
  people: PresentPerson[];
}

export class PresentRevisionBody {
  @ObjectName('present-revision')
  object: 'present-revision';
  @Id({ description: 'The revision of the space, or of the change request that was asked for' })
  revision: string;
}

/** Publishes the classes that only an event stream names. */
export const PresenceEvents = () => ApiExtraModels(PresenceBody, PresentRevisionBody);
export const PRESENCE_EVENTS = {
  content: {
    'text/event-stream': {
      schema: { oneOf: [{ $ref: getSchemaPath(PresenceBody) }, { $ref: getSchemaPath(PresentRevisionBody) }] },
    },
  },
};

export interface PresentRow {
  readonly client: string;
  readonly user: UserFacts;
  readonly requestId: string | null;
  readonly number: number | null;
  readonly page: string | null;
  readonly writing: boolean;
  readonly block: string | null;
}

export function presentPresence(
  rows: readonly PresentRow[],
  viewer: Pick<SpaceAccess, 'guestId'>,
  addresses: Addresses,
): PresenceBody {
  return {
    object: 'presence',
    people: rows.map(({ client, user, requestId, number, page, writing, block }) => ({
      client,
      user: presentUserTo(viewer, user, addresses),
      ...(requestId !== null && number !== null && { changeRequest: { id: requestId, number } }),
      ...(page !== null && { page }),
      writing,
      ...(page !== null && block !== null && { block }),
    })),
  };
}
