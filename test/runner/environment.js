import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

/**
 * The process itself as the world of a spec file, without a context of its own. At the end it is put back as it was:
 * real timers, no spies, the variables, the folder and the globals that jest exchanges.
 */
export default class ProcessEnvironment {
  constructor({ projectConfig }) {
    this.global = globalThis;
    this.moduleMocker = new ModuleMocker(globalThis);
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
    this.before = { console: globalThis.console, exit: process.exit, folder: process.cwd(), env: { ...process.env } };
  }

  async setup() {}

  async teardown() {
    const { console, exit, folder, env } = this.before;
    this.fakeTimersModern.dispose();
    this.moduleMocker.restoreAllMocks();
    globalThis.console = console;
    process.exit = exit;
    process.chdir(folder);
    for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
    Object.assign(process.env, env);
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  getVmContext() {
    return null;
  }
}
