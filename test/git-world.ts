import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { GitTransport } from '../src/operations/imports/git/git-transport.js';
import type { TestApp } from './app.js';
import { buildOrganization, type Workspace } from './build.js';
import { Forge } from './forge.js';
import type { PairWorld } from './git-pair.js';
import type { RepositoryServer } from './git-server.js';

/** The place in which pairs are made, with a server of one kind. */
export interface GitWorld<Server extends RepositoryServer> extends PairWorld {
  readonly server: Server;
}

/** Starts a server of repositories for the tests of a suite; each test has an organization of its own. */
export function useGitServer<Server extends RepositoryServer>(
  app: { readonly current: TestApp },
  start: () => Promise<Server>,
): GitWorld<Server> {
  let server: Server;
  let organization: Workspace;
  beforeAll(async () => {
    app.current.get(GitTransport).httpsOnly = false;
    server = await start();
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    organization = await buildOrganization(app.current);
  });
  return {
    get app() {
      return app.current;
    },
    get server() {
      return server;
    },
    get organization() {
      return organization;
    },
  };
}

/** The same with a stand-in for forges, whose answers each test leaves alone at first. */
export function useForge(app: { readonly current: TestApp }): GitWorld<Forge> {
  const world = useGitServer(app, () => Forge.start());
  beforeEach(() => {
    world.server.intercept = undefined;
  });
  return world;
}
