import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const DAY = 24 * 60 * 60 * 1000;

/** Whether nothing on the command line narrows the run down. */
function isFull(config) {
  const patterns = config.testPathPatterns?.patterns ?? [];
  return (
    patterns.length === 0 && !config.testNamePattern && !config.onlyChanged && !config.findRelatedTests && !config.shard
  );
}

/** The spec files that a run waited for longest, with their seconds. */
const slowest = (files) =>
  [...files]
    .sort((one, other) => other.perfStats.runtime - one.perfStats.runtime)
    .slice(0, 40)
    .map(
      ({ testFilePath, perfStats }) =>
        `${relative(process.cwd(), testFilePath)} ${Math.round(perfStats.runtime / 1000)} s`,
    );

/**
 * Gives each run of the tests a folder for the contract's records. The records of the last full run lie in
 * `coverage/contract/last`, those of the last run of some specs only in `coverage/contract/partial`.
 */
export default class ContractReporter {
  constructor(config) {
    this.config = config;
    this.home = join(config.rootDir, 'coverage', 'contract');
    this.folder = join(this.home, `run-${process.pid}`);
  }

  onRunStart() {
    this.removeAbandoned();
    rmSync(this.folder, { recursive: true, force: true });
    mkdirSync(this.folder, { recursive: true });
    process.env.CONTRACT_RECORDS = this.folder;
  }

  onRunComplete(_contexts, results) {
    const full = isFull(this.config);
    const records = this.records();
    const held = records.flatMap(({ spec, test, holds }) => holds.map((hold) => `${spec} > ${test}: ${hold}`));
    if (held.length > 0)
      process.stderr.write(`\nRequests that held the event loop for more than 1,000 ms:\n  ${held.join('\n  ')}\n`);
    const summary = {
      full,
      finishedAt: new Date().toISOString(),
      passed: results.numPassedTests,
      failed: results.numFailedTests + results.numRuntimeErrorTestSuites,
      skipped: results.numPendingTests,
      specs: results.numTotalTestSuites,
      success: results.success,
      serverErrors: records.reduce((sum, { serverErrors }) => sum + serverErrors, 0),
      loopHolds: held.length,
      held,
    };
    writeFileSync(join(this.folder, 'run.json'), `${JSON.stringify(summary, undefined, 2)}\n`);
    if (full) process.stderr.write(`\nSlowest spec files:\n  ${slowest(results.testResults).join('\n  ')}\n`);
    const kept = join(this.home, full ? 'last' : 'partial');
    rmSync(kept, { recursive: true, force: true });
    renameSync(this.folder, kept);
  }

  /**
   * What the tests have recorded: among it answers with 5xx without an announced outage and requests that held the event loop, even
   * where the test itself passed.
   */
  records() {
    return readdirSync(this.folder)
      .filter((name) => name.endsWith('.jsonl'))
      .flatMap((name) => readFileSync(join(this.folder, name), 'utf8').split('\n'))
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
  }

  /** Folders of runs that were killed. */
  removeAbandoned() {
    if (!existsSync(this.home)) return;
    for (const name of readdirSync(this.home)) {
      const folder = join(this.home, name);
      if (name.startsWith('run-') && Date.now() - statSync(folder).mtimeMs > DAY)
        rmSync(folder, { recursive: true, force: true });
    }
  }
}
