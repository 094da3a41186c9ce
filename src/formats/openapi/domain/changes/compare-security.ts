import { isJson, type JsonObject } from '../json.js';
import { itemsAt, memberAt, type LocatedObject } from './effective-schema.js';
import type { ChangeEffect } from './change.js';

/** The part of a specification that tells how clients authorize themselves: an operation, or all of it. */
export interface Secured {
  readonly root: JsonObject;
  readonly owner: LocatedObject;
}

type Report = (effect: ChangeEffect, code: string, message: string, pointer: string) => void;
/** Scopes by the name of their scheme: all of them are needed together. */
type Need = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * Compares what operations need of their callers. An operation that takes over the needs of the specification in both
 * versions says nothing: these are compared once.
 */
export function compareSecurity(before: Secured, after: Secured, report: Report): void {
  const [own, current] = [memberAt(before.owner, 'security'), memberAt(after.owner, 'security')];
  if (!own && !current) return;
  const [old, now] = [needsOf(before), needsOf(after)];
  const pointer = current?.pointer ?? after.owner.pointer;
  // Callers who fulfil one of the former needs go on if that fulfils one of the present ones.
  const lost = old.filter((need) => !now.some((each) => fulfils(need, each)));
  const added = now.filter((need) => !old.some((each) => fulfils(need, each)));
  const wanted = listOf(now);
  for (const need of lost)
    report(
      'breaking',
      'security-changed',
      need.size === 0
        ? `Authorization is needed now: ${wanted}`
        : `${worded(need)} no longer suffices: ${wanted} is needed`,
      pointer,
    );
  if (lost.length === 0)
    for (const need of added) report('compatible', 'security-added', `${worded(need)} suffices, too`, pointer);
}

function needsOf({ root, owner }: Secured): Need[] {
  const whole: LocatedObject = { value: root, pointer: '' };
  const list = itemsAt(memberAt(owner, 'security') ? owner : whole, 'security');
  const needs = list.flatMap(({ value }) =>
    isJson(value)
      ? [
          new Map(
            Object.entries(value).map(([name, scopes]) => [
              name,
              new Set([scopes].flat().filter((scope) => typeof scope === 'string')),
            ]),
          ),
        ]
      : [],
  );
  return needs.length === 0 ? [new Map()] : needs;
}

/** Tells whether a caller who brings what `given` has is let in by `wanted`. */
function fulfils(given: Need, wanted: Need): boolean {
  return [...wanted].every(([name, scopes]) => {
    const brought = given.get(name);
    return brought !== undefined && [...scopes].every((scope) => brought.has(scope));
  });
}

function worded(need: Need): string {
  if (need.size === 0) return 'No authorization';
  return [...need]
    .map(([name, scopes]) => (scopes.size === 0 ? name : `${name} (${[...scopes].join(', ')})`))
    .join(' with ');
}

const listOf = (needs: readonly Need[]): string => needs.map(worded).join(' or ');
