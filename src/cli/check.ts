import { Command, Option } from '@commander-js/extra-typings';
import { folderArgument } from './arguments.js';
import { EXIT, exit } from './output.js';

const FORMATS = ['text', 'json', 'sarif', 'github'] as const;

/** `bindery check`, which needs neither a server nor a database. */
export function checkCommand() {
  return new Command('check')
    .description('Find broken links, missing files, unknown blocks and faulty specifications in a folder of Markdown')
    .argument('<folder>', 'folder of Markdown, with or without SUMMARY.md', folderArgument)
    .addOption(
      new Option('--format <format>', 'output: lines for people, JSON, SARIF 2.1.0, or commands of GitHub Actions')
        .choices(FORMATS)
        .default('text' as const),
    )
    .option('--strict', 'count warnings as errors')
    .addHelpText('after', '\nExit codes: 0 without errors, 1 with errors, 2 wrong usage.')
    .action(async (folder, { format, strict = false }) => {
      const [{ withFolderChecks }, { formatReport, reportOf }] = await Promise.all([
        import('./folder-checks.js'),
        import('./check-report.js'),
      ]);
      const report = reportOf(await withFolderChecks((check) => check(folder)), folder, process.cwd());
      process.stdout.write(formatReport(report, format));
      if (report.errors > 0 || (strict && report.warnings > 0)) await exit(EXIT.failure);
    });
}
