import { join } from 'node:path';
import { Module } from '@nestjs/common';
import { packageFolder } from '../../kernel/platform/package-folder.js';
import { ModuleScreensController } from './module-screens.controller.js';
import { ModuleScreens } from './module-screens.service.js';
import { WORKSPACE_FOLDER, WorkspaceEndpoint } from './workspace-endpoint.js';

/** The workspace in the browser: its files, which use nothing but the API, and the screens that modules bring. */
@Module({
  controllers: [ModuleScreensController],
  providers: [{ provide: WORKSPACE_FOLDER, useFactory: builtWorkspace }, ModuleScreens, WorkspaceEndpoint],
})
export class BrowserModule {}

/** The folder into which the workspace is built. */
function builtWorkspace(): string {
  return join(packageFolder('.') ?? process.cwd(), 'app', 'dist');
}
