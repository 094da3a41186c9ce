import { Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import {
  CHECK_GROUPS,
  HEALTH_CHECKS,
  INVARIANTS,
  type CheckFinding,
  type CheckGroup,
  type ExaminationOptions,
} from '../../kernel/platform/health-checks/health-checks.points.js';
import { Registry } from '../../kernel/platform/manifest/registry.js';
import { reasonOf } from '../../kernel/platform/operator-error.js';
import { InvariantChecks } from './invariant-checks.js';

/** A finding with the check that made it. */
export interface Diagnosis extends CheckFinding {
  readonly group: CheckGroup;
  readonly check: string;
}

interface Examination {
  readonly group: CheckGroup;
  readonly name: string;
  readonly run: () => Promise<readonly CheckFinding[]>;
}

/** Makes the checks that modules contribute, one after another, so that a server beside it is not held up. */
@Injectable()
export class Doctor {
  constructor(
    private readonly registry: Registry,
    private readonly modules: ModuleRef,
    private readonly invariants: InvariantChecks,
  ) {}

  /** Gives findings as they are made, by group. A check that fails is a finding itself. */
  async *examine(options: ExaminationOptions): AsyncGenerator<Diagnosis> {
    const all = this.examinations(options);
    for (const group of CHECK_GROUPS)
      for (const { name, run } of all.filter((each) => each.group === group))
        for (const finding of await run().catch(notMade)) yield { group, check: name, ...finding };
  }

  private examinations(options: ExaminationOptions): Examination[] {
    const checks = this.registry
      .contributionsTo(HEALTH_CHECKS)
      .map((type) => this.modules.get(type, { strict: false }))
      .map((check) => ({ group: check.group, name: check.name, run: () => check.run(options) }));
    const invariants = this.registry.contributionsTo(INVARIANTS).map((invariant) => ({
      group: invariant.group ?? 'invariants',
      name: invariant.name,
      run: () => this.invariants.check(invariant, options),
    }));
    return [...checks, ...invariants];
  }
}

/** The finding of a check that could not be made. */
export const notMade = (error: unknown): readonly CheckFinding[] => [
  { level: 'fault', message: `This could not be checked: ${reasonOf(error)}` },
];
