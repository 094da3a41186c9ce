#!/usr/bin/env node
import 'reflect-metadata';
import { run } from './cli/program.js';

await run(process.argv);
