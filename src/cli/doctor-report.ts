import type { Diagnosis } from '../operations/doctor/doctor.service.js';
import { onOneLine, type Output } from './output.js';

const WIDTH = 'warning'.length;

const counted = (number: number, name: string): string => `${number} ${name}${number === 1 ? '' : 's'}`;

/** Tells findings by group as they are made, or all of them at the end as one JSON document. */
export class DoctorReport {
  private readonly findings: Diagnosis[] = [];
  private group: string | undefined;

  constructor(
    private readonly output: Output,
    private readonly json: boolean,
  ) {}

  add(diagnosis: Diagnosis): void {
    this.findings.push(diagnosis);
    if (this.json) return;
    const { group, level, message, advice, examples = [] } = diagnosis;
    const indent = ' '.repeat(WIDTH + 4);
    this.output.result(diagnosis, [
      ...(group === this.group ? [] : [`${group.charAt(0).toUpperCase()}${group.slice(1)}`]),
      `  ${level.padEnd(WIDTH)}  ${onOneLine(message)}`,
      ...(examples.length === 0 ? [] : [`${indent}such as ${onOneLine(examples.join(', '))}`]),
      ...(advice === undefined ? [] : [`${indent}${onOneLine(advice)}`]),
    ]);
    this.group = group;
  }

  /** Tells the numbers. @returns the number of faults. */
  end(): number {
    const count = (level: Diagnosis['level']): number => this.findings.filter((each) => each.level === level).length;
    const [faults, warnings, mended, ok] = [count('fault'), count('warning'), count('mended'), count('ok')];
    this.output.result({ findings: this.findings, faults, warnings, mended, ok }, [
      `${counted(faults, 'fault')}, ${counted(warnings, 'warning')}, ${mended} mended, ${ok} in order.`,
    ]);
    return faults;
  }
}
