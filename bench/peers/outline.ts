import { Api } from '../api.js';
import { type Account, ask, cookieFrom, type Peer, textIn, valueIn } from './peer.js';

const idOf = (answer: unknown): string | undefined => textIn(answer, 'data', 'id');

/** Outline, since the versions in which an installation is begun by `installation.create`. */
export const outline: Peer = {
  name: 'Outline',
  folder: 'outline',
  built: ['build/server/index.js', 'node_modules'],
  directory: '.',
  commands: [
    'git clone --depth 1 https://github.com/outline/outline && (cd outline && yarn install --immutable && yarn build)',
    'or from its image: docker create --name outline outlinewiki/outline && docker cp outline:/opt/outline outline && docker rm outline',
  ],
  health: '/_health',
  // Its limits of rates are off unless they are asked for, 25 new documents a minute among them; it migrates its database when it starts.
  environment: ({ port, databaseUrl, redisUrl, folder }) => ({
    NODE_ENV: 'production',
    PORT: String(port),
    URL: `http://localhost:${port}`,
    FORCE_HTTPS: 'false',
    WEB_CONCURRENCY: '1',
    SECRET_KEY: '0123456789abcdef'.repeat(4),
    UTILS_SECRET: 'of-the-benchmark',
    DATABASE_URL: databaseUrl,
    PGSSLMODE: 'disable',
    REDIS_URL: redisUrl,
    FILE_STORAGE: 'local',
    FILE_STORAGE_LOCAL_ROOT_DIR: folder,
    RATE_LIMITER_ENABLED: 'false',
    ENABLE_UPDATES: 'false',
  }),
  open: async (port) => {
    const installation = { teamName: 'Bench', userName: 'Bench', userEmail: 'bench@example.com' };
    const session = await cookieFrom(port, { path: '/api/installation.create', body: installation }, 'accessToken');
    const person = new Api(port, session);
    const token = await ask(person, { path: '/api/apiKeys.create', body: { name: 'bench' } }, 'key', (answer) =>
      textIn(answer, 'data', 'value'),
    );
    person.close();
    const api = new Api(port, token);
    const collection = { name: 'Handbook', permission: 'read_write' };
    const collectionId = await ask(api, { path: '/api/collections.create', body: collection }, 'id', idOf);
    api.close();
    return accountOf(token, collectionId);
  },
};

const accountOf = (token: string, collectionId: string): Account => ({
  token,
  create: ({ title, markdown, parent }) => ({
    path: '/api/documents.create',
    body: {
      collectionId,
      title,
      text: markdown,
      publish: true,
      ...(parent !== undefined && { parentDocumentId: parent }),
    },
  }),
  update: (id, markdown) => ({ path: '/api/documents.update', body: { id, text: markdown } }),
  read: (id) => ({ path: '/api/documents.info', body: { id } }),
  list: (limit) => ({ path: '/api/documents.list', body: { collectionId, limit } }),
  search: (query, limit) => ({ path: '/api/documents.search', body: { query, collectionId, limit } }),
  idOf,
  itemsOf: (answer) => {
    const data = valueIn(answer, 'data');
    return Array.isArray(data) ? data : undefined;
  },
});
