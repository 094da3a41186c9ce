import type { Change } from '../audit-changes.js';
import type { EventFactKind, Kinds } from './event-definition.js';
import type { ServiceEvents } from './manifest.js';

export type EventType = keyof ServiceEvents;

/** Events that are lines of the audit log. */
export type AuditedType = { [Type in EventType]: ServiceEvents[Type]['audit'] extends true ? Type : never }[EventType];

type FactsOf<Type extends EventType> = ServiceEvents[Type]['facts'];
type ValueOf<Word> = Word extends `${infer Optional extends EventFactKind}?`
  ? Kinds[Optional] | undefined
  : Word extends EventFactKind
    ? Kinds[Word]
    : never;
type RequiredNames<EventFacts> = {
  [Name in keyof EventFacts]: EventFacts[Name] extends EventFactKind ? Name : never;
}[keyof EventFacts];

/** The facts of an event. */
export type EventPayload<Type extends EventType> = {
  readonly [Name in RequiredNames<FactsOf<Type>>]: ValueOf<FactsOf<Type>[Name]>;
} & {
  readonly [Name in Exclude<keyof FactsOf<Type>, RequiredNames<FactsOf<Type>>>]?: ValueOf<FactsOf<Type>[Name]>;
};

interface Where {
  readonly organization: { readonly organizationId: string; readonly spaceId?: string | null };
  readonly space: { readonly organizationId: string; readonly spaceId: string };
  readonly account: { readonly organizationId: string | null; readonly spaceId?: null };
}

/** Details for the audit log only, beside the facts. Never a secret, an email address or content. */
export interface AuditDetails {
  /** The name of the target, if it was already deleted or no table has it. */
  readonly label?: string | null;
  /** The masked address of the person concerned, who may have no account. */
  readonly person?: string;
  readonly changes?: readonly Change[];
}

/**
 * One state change; `target` is the id of the object that changed. Facts are ids and simple values, never a secret, an
 * address or content.
 */
export type NewEvent = {
  [Type in EventType]: {
    readonly type: Type;
    readonly target: string;
    readonly audit?: AuditDetails;
  } & Where[ServiceEvents[Type]['scope']] &
    ([RequiredNames<FactsOf<Type>>] extends [never]
      ? { readonly payload?: EventPayload<Type> }
      : { readonly payload: EventPayload<Type> });
}[EventType];
