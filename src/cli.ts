#!/usr/bin/env node
import { requireNode } from './cli/node-version.js';

requireNode();
// Only now: what older releases of Node cannot load would fail with an error of its own.
void import('./cli/program.js').then(({ run }) => run(process.argv));
