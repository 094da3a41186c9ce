#!/usr/bin/env node
import { requireNode } from './cli/node-version.js';

requireNode();
// Imported only now: on older releases of Node, unsupported syntax would fail with an error of its own.
void import('./cli/load-program.js').then(({ loadProgram }) => loadProgram()).then(({ run }) => run(process.argv));
