// Small programs that speak the interfaces of other products, and of Redis, as far as the benchmark uses them. They have
// the conditions of the real ones: settings, parameters and rights. A fault says how a product fails.
import { Buffer } from 'node:buffer';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect, createServer as createSocketServer } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';

const notePid = (folder, pid) => appendFileSync(join(folder, 'pids'), `${pid}\n`);

/** Redis, which knows one command. */
export function redis() {
  const setting = (name) => process.argv[process.argv.indexOf(name) + 1] ?? '';
  notePid(setting('--dir'), process.pid);
  createSocketServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (text) =>
      socket.write(text.toString() === 'PING\r\n' ? '+PONG\r\n' : '-ERR unknown command\r\n'),
    );
  }).listen(Number(setting('--port')), setting('--bind'));
}

function refuse(reason) {
  console.error(reason);
  process.exit(1);
}

/** Ends the program where a setting is not as the real one needs it, or its database or Redis cannot be used. */
async function checkSettings(wanted) {
  const { DATABASE_URL, REDIS_URL, HOME } = process.env;
  for (const [name, pattern] of Object.entries(wanted))
    if (!pattern.test(process.env[name] ?? '')) refuse(`${name} is ${process.env[name]}`);
  const client = new pg.Client({ connectionString: DATABASE_URL });
  await client.connect();
  await client.query('SELECT 1');
  await client.end();
  const { hostname, port } = new URL(REDIS_URL);
  await new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write('PING\r\n'));
    socket.on('error', reject).on('data', () => resolve(socket.destroy()));
  });
  notePid(HOME, process.pid);
}

class Refusal extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/** Pages in the order in which they were changed, newest first. */
class Pages {
  pages = new Map();

  set(id, page) {
    this.pages.delete(id);
    this.pages.set(id, { id, ...page });
    return this.pages.get(id);
  }

  get(id) {
    const page = this.pages.get(id);
    if (page === undefined) throw new Refusal(404, 'Page not found');
    return page;
  }

  list(limit, word = '') {
    if (!(limit >= 1 && limit <= 100)) throw new Refusal(400, 'limit must be between 1 and 100');
    return [...this.pages.values()]
      .reverse()
      .filter(({ text }) => text.includes(word))
      .slice(0, limit);
  }
}

/** Serves routes: functions of the body and the token that return what is answered, or status, headers and text. */
function serve(health, routes) {
  const answer = async (request) => {
    if (request.method === 'GET' && request.url === health) return { status: 200, text: 'OK' };
    const route = request.method === 'POST' ? routes[request.url] : undefined;
    if (route === undefined) throw new Refusal(404, 'Not found');
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1];
    const answered = await route(JSON.parse(Buffer.concat(chunks).toString()), token);
    return typeof answered.text === 'string' ? answered : { status: 200, text: JSON.stringify(answered) };
  };
  createServer((request, response) => {
    answer(request).then(
      ({ status, headers = {}, text }) => response.writeHead(status, headers).end(text),
      (error) => response.writeHead(error.status ?? 500).end(JSON.stringify({ message: error.message })),
    );
  }).listen(Number(process.env['PORT']), '127.0.0.1');
}

export async function docmost(fault) {
  await checkSettings({ NODE_ENV: /^production$/, APP_SECRET: /^.{32,}$/, APP_URL: /^http:\/\// });
  if (fault === 'ends') refuse('the migration failed');
  const pages = new Pages();
  const space = randomUUID();
  let session;
  const signedIn = (token) => {
    if (session === undefined || token !== session) throw new Refusal(401, 'Unauthorized');
  };
  const textOf = ({ content, format }) => {
    if (fault === 'old' || content === undefined) return '';
    if (format !== 'markdown') throw new Refusal(400, 'format must be markdown');
    return content;
  };
  const answer = (data) => ({ data, success: true, status: 200 });
  serve('/api/health', {
    '/api/auth/setup': ({ name, email, password, workspaceName }) => {
      if (session !== undefined) throw new Refusal(403, 'Workspace setup already completed.');
      if (!name || !/@/.test(email) || !(password?.length >= 8) || !workspaceName)
        throw new Refusal(400, 'Bad request');
      session = `session-${randomUUID()}`;
      const headers = { 'Set-Cookie': `authToken=${session}; Path=/; HttpOnly; SameSite=Lax` };
      return { status: 200, headers, text: JSON.stringify(answer({ name: workspaceName })) };
    },
    '/api/spaces': (_, token) => {
      signedIn(token);
      return answer({ items: [{ id: space, name: 'General' }], meta: {} });
    },
    '/api/pages/create': (body, token) => {
      signedIn(token);
      if (fault === 'silent') return new Promise(() => undefined);
      if (fault === 'page of a proxy') return { status: 200, text: '<html>Sign in</html>' };
      if (fault === 'full' && pages.pages.size === 3) throw new Refusal(500, 'the disk is full');
      if (body.spaceId !== space) throw new Refusal(404, 'Space not found');
      if (body.parentPageId !== undefined) pages.get(body.parentPageId);
      return answer(pages.set(randomUUID(), { title: body.title, text: textOf(body) }));
    },
    '/api/pages/update': (body, token) => {
      signedIn(token);
      if (body.operation !== 'replace') throw new Refusal(400, 'operation must be replace');
      return answer(pages.set(body.pageId, { ...pages.get(body.pageId), text: textOf(body) }));
    },
    '/api/pages/info': ({ pageId }, token) => {
      signedIn(token);
      const { id, title, text } = pages.get(pageId);
      const content = text
        .split('\n\n')
        .map((line) => ({ type: 'paragraph', content: [{ type: 'text', text: line }] }));
      return answer({ id, title, content: { type: 'doc', content } });
    },
    '/api/pages/recent': ({ spaceId, limit }, token) => {
      signedIn(token);
      return answer({ items: spaceId === space ? pages.list(limit).map(({ id, title }) => ({ id, title })) : [] });
    },
    '/api/search': ({ query, spaceId, limit }, token) => {
      signedIn(token);
      return answer({ items: spaceId === space ? pages.list(limit, query).map(({ id }) => ({ id })) : [] });
    },
  });
}

export async function outline(fault) {
  await checkSettings({
    SECRET_KEY: /^[0-9a-f]{64}$/,
    UTILS_SECRET: /./,
    PGSSLMODE: /^disable$/,
    FORCE_HTTPS: /^false$/,
  });
  // The real one serves in processes of its own as well.
  notePid(process.env['HOME'], spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)']).pid);
  const pages = new Pages();
  const [session, key, collection] = [`session-${randomUUID()}`, `ol_api_${'k'.repeat(38)}`, randomUUID()];
  let installed = false;
  const signedIn = (token) => {
    if (token !== key) throw new Refusal(401, 'Invalid API key');
  };
  serve('/_health', {
    ...(fault !== 'old' && {
      '/api/installation.create': ({ teamName, userName, userEmail }) => {
        if (installed) throw new Refusal(400, 'Installation already has existing teams');
        if (!teamName || !userName || !/@/.test(userEmail)) throw new Refusal(400, 'Validation error');
        installed = true;
        const cookies = ['lastSignedIn=email; path=/', `accessToken=${session}; path=/; samesite=lax`];
        return { status: 302, headers: { Location: '/home', 'Set-Cookie': cookies }, text: 'Redirecting' };
      },
    }),
    '/api/apiKeys.create': ({ name }, token) => {
      if (!installed || token !== session) throw new Refusal(403, 'Invalid authentication type');
      return { data: { name, value: key } };
    },
    '/api/collections.create': ({ name, permission }, token) => {
      signedIn(token);
      return { data: { id: collection, name, permission } };
    },
    '/api/documents.create': ({ collectionId, parentDocumentId, publish, title, text }, token) => {
      signedIn(token);
      if (process.env['RATE_LIMITER_ENABLED'] !== 'false' && pages.pages.size >= 25)
        throw new Refusal(429, 'Rate limit exceeded');
      if (collectionId !== collection || publish !== true) throw new Refusal(400, 'Validation error');
      if (parentDocumentId !== undefined) pages.get(parentDocumentId);
      return { data: pages.set(randomUUID(), { title, text }) };
    },
    '/api/documents.update': ({ id, text }, token) => {
      signedIn(token);
      return { data: pages.set(id, { ...pages.get(id), text }) };
    },
    '/api/documents.info': ({ id }, token) => {
      signedIn(token);
      return { data: pages.get(id) };
    },
    '/api/documents.list': ({ collectionId, limit }, token) => {
      signedIn(token);
      return { data: collectionId === collection ? pages.list(limit) : [] };
    },
    '/api/documents.search': ({ query, collectionId, limit }, token) => {
      signedIn(token);
      return { data: collectionId === collection ? pages.list(limit, query).map((document) => ({ document })) : [] };
    },
  });
}
