import { Command } from '@commander-js/extra-typings';
import { EXIT, Output, exit } from './output.js';

/** `bindery doctor`. */
export function doctorCommand() {
  return new Command('doctor')
    .description(
      'Check database, storage, secrets, clocks, mail, hosts, certificates, queues and the invariants of tables',
    )
    .option('--all', 'look at everything, in place of a bounded part of files, hostnames and rows')
    .option('--mend', 'mend what can be mended without a loss, in one transaction each, and tell what was done')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExit codes: 0 without faults, 1 with faults, 2 wrong usage.')
    .action(async ({ all = false, mend = false, json = false }) => {
      const [{ runDoctor }, { DoctorReport }] = await Promise.all([
        import('./doctor-runs.js'),
        import('./doctor-report.js'),
      ]);
      const report = new DoctorReport(new Output(json), json);
      await runDoctor({ all, mend }, (diagnosis) => report.add(diagnosis));
      if (report.end() > 0) await exit(EXIT.failure);
    });
}
