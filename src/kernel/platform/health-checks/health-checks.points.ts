import type { Type } from '@nestjs/common';
import { ContributionPoint } from '../manifest/contribution.js';

/** The groups of checks, in the order in which their findings are told. */
export const CHECK_GROUPS = [
  'settings',
  'database',
  'migrations',
  'indexes',
  'storage',
  'secrets',
  'clocks',
  'mail',
  'hosts',
  'certificates',
  'queues',
  'invariants',
] as const;
export type CheckGroup = (typeof CHECK_GROUPS)[number];

/** One result of a check. No text of it holds a secret. */
export interface CheckFinding {
  /** `mended` for a fault that is gone now; `fault` for what is broken, or will break. */
  readonly level: 'ok' | 'mended' | 'warning' | 'fault';
  /** One line: what was found, and what was done about it. */
  readonly message: string;
  /** One line: the step that is left to the operator. */
  readonly advice?: string;
  /** A few of the things that it is about, such as ids. */
  readonly examples?: readonly string[];
}

export interface ExaminationOptions {
  /** Looks at everything, however long that takes, in place of a bounded part. */
  readonly all: boolean;
  /** Mends what can be mended without a loss. */
  readonly mend: boolean;
}

/** A check of the installation, as `bindery doctor` makes it beside running servers. */
export interface HealthCheck {
  readonly group: CheckGroup;
  /** Unique, in kebab case. */
  readonly name: string;
  run(options: ExaminationOptions): Promise<readonly CheckFinding[]>;
}

/** Classes of checks, which are providers of the modules that contribute them. */
export const HEALTH_CHECKS = new ContributionPoint<Type<HealthCheck>>('health checks');

/** A condition that rows keep, whatever is written and whatever is interrupted. */
export interface Invariant {
  /** `invariants` without it. */
  readonly group?: CheckGroup;
  /** Unique, in kebab case. */
  readonly name: string;
  /** The condition in words, such as `members of organizations are counted`. */
  readonly holds: string;
  /** Words before a number, such as `organizations with a wrong count of members`. */
  readonly broken: string;
  /** `fault` without it. */
  readonly level?: 'warning' | 'fault';
  readonly advice?: string;
  /** Statements that read these rows would not end, or not soon, without it: no archive that breaks it is imported. */
  readonly isRequired?: true;
  /** The table whose rows are looked at in batches, and the column of its key, a text. */
  readonly over: { readonly table: string; readonly key: string };
  /**
   * A SELECT of what is broken below the keys `$1` (text[]): the key as `id`, and as `example` a text that names the
   * thing, unless the key does.
   */
  readonly find: string;
  /** Statements that mend what is below the key `$1`, in one transaction, whatever is written meanwhile. */
  readonly mend?: {
    readonly statements: readonly string[];
    /** In words, such as `counted again`. */ readonly done: string;
  };
}

export const INVARIANTS = new ContributionPoint<Invariant>('invariants of tables');
