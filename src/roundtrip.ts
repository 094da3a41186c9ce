import 'reflect-metadata';
import { runRoundTrip } from './cli/roundtrip.js';

await runRoundTrip(process.argv);
