import { Api } from '../api.js';
import { type Account, ask, cookieFrom, type Peer, textIn, valueIn } from './peer.js';

const itemsOf = (answer: unknown): readonly unknown[] | undefined => {
  const data = valueIn(answer, 'data');
  const items = Array.isArray(data) ? data : valueIn(data, 'items');
  return Array.isArray(items) ? items : undefined;
};

/** Docmost, since 0.71: earlier ones take no Markdown when a page is made or changed. */
export const docmost: Peer = {
  name: 'Docmost',
  folder: 'docmost',
  built: ['apps/server/dist/main.js', 'node_modules'],
  directory: 'apps/server',
  commands: [
    'git clone --depth 1 https://github.com/docmost/docmost && (cd docmost && pnpm install --frozen-lockfile && pnpm build)',
    'or from its image: docker create --name docmost docmost/docmost && docker cp docmost:/app docmost && docker rm docmost',
  ],
  health: '/api/health',
  // Only its sign-in has limits of rates, and one account is made. In production it migrates its database when it starts.
  environment: ({ port, databaseUrl, redisUrl }) => ({
    NODE_ENV: 'production',
    PORT: String(port),
    APP_URL: `http://127.0.0.1:${port}`,
    APP_SECRET: 'of-the-benchmark-of-the-benchmark-of-the-benchmark',
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    STORAGE_DRIVER: 'local',
    DISABLE_TELEMETRY: 'true',
  }),
  open: async (port) => {
    const setup = {
      name: 'Bench',
      email: 'bench@example.com',
      password: 'of-the-benchmark',
      workspaceName: 'Bench',
    };
    const token = await cookieFrom(port, { path: '/api/auth/setup', body: setup }, 'authToken');
    const api = new Api(port, token);
    const spaceId = await ask(api, { path: '/api/spaces', body: {} }, 'space', (answer) =>
      textIn(itemsOf(answer)?.[0], 'id'),
    );
    api.close();
    return accountOf(token, spaceId);
  },
};

const accountOf = (token: string, spaceId: string): Account => ({
  token,
  create: ({ title, markdown, parent }) => ({
    path: '/api/pages/create',
    body: {
      spaceId,
      title,
      content: markdown,
      format: 'markdown',
      ...(parent !== undefined && { parentPageId: parent }),
    },
  }),
  update: (id, markdown) => ({
    path: '/api/pages/update',
    body: { pageId: id, content: markdown, format: 'markdown', operation: 'replace' },
  }),
  read: (id) => ({ path: '/api/pages/info', body: { pageId: id } }),
  list: (limit) => ({ path: '/api/pages/recent', body: { spaceId, limit } }),
  search: (query, limit) => ({ path: '/api/search', body: { query, spaceId, limit } }),
  idOf: (answer) => textIn(answer, 'data', 'id'),
  itemsOf,
});
