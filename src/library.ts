import 'reflect-metadata';

/*
 * The package `bindery`: the server, for programs that start it themselves. Modules are written with
 * `bindery/extension`, and tested with `bindery/testing`.
 */
export { BinderyModule, type ServiceOptions } from './app.module.js';
export { createApp, type AppOptions } from './http.js';
export { describeSettings, loadConfig } from './config.js';
export { openDatabase, type OpenDatabase } from './cli/database.js';
export { migrateDown, migrateUp, migrationStates, type MigrationState } from './cli/schema.js';
export { ConfigError, CONFIG, type Config } from './kernel/platform/config/config.js';
export type { AddedModule } from './kernel/platform/manifest/added-modules.js';
export { manifestsOf } from './manifests.js';
export { PublicListener } from './kernel/platform/public-listener.js';
export { BackgroundWork } from './kernel/platform/jobs/background-work.js';
export { Addresses } from './kernel/common/addresses.js';
export { VERSION } from './version.js';
