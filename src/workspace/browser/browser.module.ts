import { join } from 'node:path';
import { Module } from '@nestjs/common';
import { packageFolder } from '../../kernel/platform/package-folder.js';
import { WORKSPACE_FOLDER, WorkspaceEndpoint } from './workspace-endpoint.js';

/** The workspace in the browser: its files, which use nothing but the API. */
@Module({
  providers: [{ provide: WORKSPACE_FOLDER, useFactory: builtWorkspace }, WorkspaceEndpoint],
})
export class BrowserModule {}

/** The folder into which the workspace is built. */
function builtWorkspace(): string {
  return join(packageFolder('.') ?? process.cwd(), 'app', 'dist');
}
