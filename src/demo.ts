import 'reflect-metadata';
import { runWalkthrough } from './cli/walkthrough.js';

await runWalkthrough(process.argv);
