import { createContext, type ReactNode, useContext, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { usePlace, useSpace } from '../place.js';
import { renewContent } from '../queries.js';
import { Room, type PresentPerson, type Whereabouts } from './room.js';

const RoomContext = createContext<Room | undefined>(undefined);
const NOBODY: readonly PresentPerson[] = [];
/** Milliseconds between two readings of a place that others are changing. */
const RENEWAL = 10_000;

/** Makes the window present at the place of the screen, if it shows its present content. */
export function RoomProvider({ page, writing, children }: Readonly<Whereabouts & { children: ReactNode }>) {
  const place = usePlace();
  const { permissions } = useSpace();
  const mayJoin = place.revisionId === undefined && permissions.comment;
  const room = useMemo(() => (mayJoin ? new Room(place) : undefined), [mayJoin, place]);
  useEffect(() => room?.open(), [room]);
  useEffect(() => room?.move({ page, writing, block: undefined }), [room, page, writing]);
  // An editor takes over what others have written by itself.
  useEffect(
    () => (room && writing !== true ? renewed(room, () => void renewContent(place)) : undefined),
    [room, place, writing],
  );
  return <RoomContext value={room}>{children}</RoomContext>;
}

/** Calls `renew` after a new revision, not more often than every ten seconds. */
function renewed(room: Room, renew: () => void): () => void {
  let last = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = room.onRevision(() => {
    timer ??= setTimeout(
      () => {
        timer = undefined;
        last = Date.now();
        renew();
      },
      Math.max(0, last + RENEWAL - Date.now()),
    );
  });
  return () => {
    clearTimeout(timer);
    stop();
  };
}

/** The room of the place, for those who may be in it. */
export const useRoom = (): Room | undefined => useContext(RoomContext);

/** The other windows that show a page, one for each person: that in which they write, if there is one. */
export function usePeopleAt(page: string): readonly PresentPerson[] {
  const room = useRoom();
  const [nothing] = useState(() => () => () => undefined);
  const all = useSyncExternalStore(room?.watch ?? nothing, room?.people ?? (() => NOBODY));
  return useMemo(() => {
    const people = new Map<string, PresentPerson>();
    for (const person of all) {
      const known = people.get(person.user.id);
      if (person.page === page && (!known || (person.writing && !known.writing))) people.set(person.user.id, person);
    }
    return [...people.values()];
  }, [all, page]);
}
