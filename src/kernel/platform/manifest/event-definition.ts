/** The kinds of facts of an event: the word in a manifest, and the type. */
export interface Kinds {
  id: string;
  'id or null': string | null;
  ids: readonly string[];
  text: string;
  texts: readonly string[];
  number: number;
  flag: boolean;
}
export type EventFactKind = keyof Kinds;

/** Names and kinds of the facts of an event beside its target; those with a question mark may be absent. */
export type EventFactKinds = Readonly<Record<string, EventFactKind | `${EventFactKind}?`>>;
type NoFacts = Readonly<Record<never, never>>;

/** The scope of an event; `account`: it belongs to a person, and to no organization that could receive it. */
export type EventScope = 'organization' | 'space' | 'account';

export interface EventDefinition<
  Scope extends EventScope = EventScope,
  Audit extends true | string = true | string,
  EventFacts extends EventFactKinds = EventFactKinds,
> {
  readonly scope: Scope;
  /** The name of the target of the event: published as `<target>Id`. */
  readonly target: string;
  readonly about: string;
  /**
   * `true` if the event is also a line of the audit log, else the reason why not. The log has every change of members,
   * permissions, tokens, logins, publication and content destinations, and every creation and removal of objects.
   */
  readonly audit: Audit;
  readonly facts: EventFacts;
}

export type EventTable = Readonly<Record<string, EventDefinition>>;

/** Reasons why whole families of events are not lines of the audit log. */
export const UNAUDITED = {
  content: 'content: revisions and change requests tell who wrote what',
  discussion: 'discussion: it gives nobody a right and takes nothing away',
  arrangement: 'arrangement: who sees what stays the same',
  progress: 'progress of work that was asked for',
} as const;

function within<const Scope extends EventScope>(scope: Scope) {
  return <const Audit extends true | string, const EventFacts extends EventFactKinds = NoFacts>(
    target: string,
    about: string,
    { audit, facts = {} as EventFacts }: { readonly audit: Audit; readonly facts?: EventFacts },
  ): EventDefinition<Scope, Audit, EventFacts> => ({ scope, target, about, audit, facts });
}

/** Declares an event of an organization in a manifest. */
export const organization = within('organization');
/** Declares an event in one space. */
export const space = within('space');
/** Declares an event of a person. */
export const account = within('account');
