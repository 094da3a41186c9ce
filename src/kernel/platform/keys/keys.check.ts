import { Injectable } from '@nestjs/common';
import type { CheckFinding, ExaminationOptions, HealthCheck } from '../health-checks/health-checks.points.js';
import { KeyStates, describeSealed } from './key-states.js';
import { SealedValues } from './sealed-values.js';

/** Checks that the configured keys open all stored secrets. */
@Injectable()
export class KeysCheck implements HealthCheck {
  readonly group = 'secrets';
  readonly name = 'keys';

  constructor(
    private readonly states: KeyStates,
    private readonly values: SealedValues,
  ) {}

  async run({ mend }: ExaminationOptions): Promise<CheckFinding[]> {
    const unreadable = await this.values.unreadable();
    const keys = await this.states.list();
    const total = keys.reduce((sum, { values }) => sum + values, 0);
    const behind = keys
      .filter(({ place }) => place !== 'first')
      .reduce((sum, key) => sum + key.values - key.unreadable, 0);
    const findings: CheckFinding[] = unreadable.map((count) => ({
      level: 'fault',
      message: `No key of SECRET_KEY opens ${describeSealed(count)}`,
      advice:
        'Add that key behind the first one; if it is lost for good, "bindery keys discard" gives up what it sealed',
    }));
    if (behind > 0) findings.push(await this.resealed(behind, mend));
    if (findings.length > 0) return findings;
    return [{ level: 'ok', message: `The first key of SECRET_KEY opens all ${total} stored secrets` }];
  }

  private async resealed(behind: number, mend: boolean): Promise<CheckFinding> {
    const message = `Stored secrets that are encrypted with other keys than the first: ${behind}`;
    // Only what no server needs for its own start: in the middle of a rotation some may lack the new key.
    const resealed = mend ? await this.states.tend() : 0;
    if (resealed > 0) return { level: 'mended', message: `${message}, of which ${resealed} were encrypted anew` };
    return {
      level: 'warning',
      message,
      advice:
        'Running servers encrypt them anew once no server has the former key first; "bindery keys reseal" does so now',
    };
  }
}
