import { Module } from '@nestjs/common';
import { brings } from '../../kernel/platform/manifest/registry.js';
import { AgentsEndpoint } from './agents-endpoint.js';
import { agents } from './agents.manifest.js';
import { ApiCalls } from './api-calls.js';
import { WorkspaceMcp } from './workspace-mcp.js';

@Module({ providers: [brings(agents), ApiCalls, WorkspaceMcp, AgentsEndpoint] })
export class AgentsModule {}
