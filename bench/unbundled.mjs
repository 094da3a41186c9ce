/* Runs the command line module by module instead of from the bundle: a profile tells parts of the server by the files of their code. */
import { run } from '../dist/src/cli/program.js';

await run(process.argv);
