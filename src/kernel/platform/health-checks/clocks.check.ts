import { Injectable } from '@nestjs/common';
import { Database } from '../../common/database.js';
import { leastIdAt } from '../../common/ids.js';
import type { CheckFinding, HealthCheck } from './health-checks.points.js';

/** Seconds by which clocks may differ: addresses and tokens end too early or too late by as many. */
const [LARGE, TOO_LARGE] = [5, 60];
const TRIES = 3;

const NOW = 'SELECT clock_timestamp() AS now';
/** Servers give events ids that begin with the time of their machine. */
const NEWEST = 'SELECT e.at FROM event e WHERE e.id > $1 ORDER BY e.id DESC LIMIT 1';

/** Compares the clock of this machine, and of servers that have written, with that of the database. */
@Injectable()
export class ClocksCheck implements HealthCheck {
  readonly group = 'clocks';
  readonly name = 'clocks';

  constructor(private readonly database: Database) {}

  async run(): Promise<CheckFinding[]> {
    const { difference, within, now } = await this.compare();
    const seconds = Math.abs(difference).toFixed(1);
    const isFar = Math.abs(difference) > LARGE + within;
    const findings: CheckFinding[] = [
      isFar
        ? {
            level: Math.abs(difference) > TOO_LARGE ? 'fault' : 'warning',
            message: `The clock of this machine is ${seconds} s ${difference > 0 ? 'ahead of' : 'behind'} that of the database`,
            advice: 'Let both machines set their clocks by NTP',
          }
        : { level: 'ok', message: `The clocks of this machine and of the database differ by ${seconds} s` },
    ];
    const ahead = await this.database.one<{ at: Date }>(NEWEST, [leastIdAt(now + LARGE * 1000)]);
    if (ahead)
      findings.push({
        level: 'warning',
        message: `A server has recorded an event at ${ahead.at.toISOString()}, which is still to come by the clock of the database`,
        advice: 'Let the machines of all servers set their clocks by NTP',
      });
    return findings;
  }

  /** Seconds by which this machine is ahead, and within which that is known: the shortest of several round trips tells best. */
  private async compare(): Promise<{ difference: number; within: number; now: number }> {
    let best = { difference: 0, within: Infinity, now: Date.now() };
    for (let at = 0; at < TRIES; at++) {
      const before = Date.now();
      const row = await this.database.one<{ now: Date }>(NOW);
      const after = Date.now();
      const within = (after - before) / 2000;
      if (row && within < best.within)
        best = { difference: (before + after) / 2000 - row.now.getTime() / 1000, within, now: row.now.getTime() };
    }
    return best;
  }
}
