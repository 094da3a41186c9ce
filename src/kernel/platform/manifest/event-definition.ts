/** What a fact of an event can be: its word in a manifest, and its type. */
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

/** Names and kinds of what an event tells beside its target; those with a question mark may be absent. */
export type EventFactKinds = Readonly<Record<string, EventFactKind | `${EventFactKind}?`>>;
type NoFacts = Readonly<Record<never, never>>;

/** Where something happened; `account`: it belongs to a person, and to no organization that could hear of it. */
export type EventScope = 'organization' | 'space' | 'account';

export interface EventDefinition<
  Scope extends EventScope = EventScope,
  Audit extends true | string = true | string,
  EventFacts extends EventFactKinds = EventFactKinds,
> {
  readonly scope: Scope;
  /** What the target of the event is: published as `<target>Id`. */
  readonly target: string;
  readonly about: string;
  /**
   * Whether the event is also a line of the audit log: `true`, or why not. The log has every change of members, rights, tokens, logins,
   * publication and of where content goes, and what makes things and removes them.
   */
  readonly audit: Audit;
  readonly facts: EventFacts;
}

export type EventTable = Readonly<Record<string, EventDefinition>>;

/** Why whole families of events are no lines of the audit log. */
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

/** An event of an organization, in a manifest. */
export const organization = within('organization');
/** An event in one space. */
export const space = within('space');
/** An event of a person. */
export const account = within('account');
