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

/** What only the audit log is told, beside the facts. Never a secret, an address of a person or content. */
export interface AuditDetails {
  /** What the target is called, where it is gone by now or no table knows. */
  readonly label?: string | null;
  /** The masked address of somebody who is meant, and need not have an account. */
  readonly person?: string;
  readonly changes?: readonly Change[];
}

/**
 * News of one state change; `target` is the id of the object that changed. Facts are ids and plain facts, never a secret, an address
 * or content.
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
