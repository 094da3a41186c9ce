import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import pg from 'pg';

// The limits of this machine: `limit-server.ts <bare|express>` runs single prepared statements over HTTP, without
// identity, permissions or rules. The database is the one of the environment variable LIMIT_DATABASE_URL.
const pool = new pg.Pool({ connectionString: process.env['LIMIT_DATABASE_URL'], max: 10 });
const send = (value: unknown): void => void process.send?.(value);

const PAGE = { name: 'page', text: 'SELECT id, title, description, body FROM page WHERE id = $1' };
const LIST = {
  name: 'list',
  text: 'SELECT id, title, description, updated_at FROM page WHERE id > $1 ORDER BY id LIMIT 100',
};
const HEADLINE = {
  name: 'headline',
  text: `SELECT id, title, ts_headline('english', body, query) AS excerpt FROM (
           SELECT id, title, body, query FROM page, websearch_to_tsquery('english', $1) AS query
            WHERE vector @@ query ORDER BY ts_rank(vector, query) DESC LIMIT 25) best`,
};
const UPDATE = {
  name: 'update',
  text: `UPDATE page SET body = $2, vector = to_tsvector('english', $2), updated_at = now() WHERE id = $1`,
};
const REVISION = { name: 'revision', text: 'INSERT INTO revision (page_id, body) VALUES ($1, $2)' };

async function query(statement: { name: string; text: string }, values: unknown[]): Promise<unknown[]> {
  return (await pool.query<Record<string, unknown>>({ ...statement, values })).rows;
}

async function update(id: string, body: string): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await client.query({ ...UPDATE, values: [id, body] });
    await client.query({ ...REVISION, values: [id, body] });
    await client.query('COMMIT');
  } finally {
    client.release();
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

async function answer(request: IncomingMessage): Promise<unknown> {
  const [, name = '', value = ''] = (request.url ?? '').split('/');
  if (name === 'page') return (await query(PAGE, [value]))[0];
  if (name === 'list') return query(LIST, [value]);
  if (name === 'headline') return query(HEADLINE, [decodeURIComponent(value)]);
  const { body } = JSON.parse(await bodyOf(request)) as { body: string };
  await update(value, body);
  return { id: value };
}

function serveBare() {
  return createServer((request, response) => {
    answer(request).then(
      (value) => {
        const json = JSON.stringify(value);
        response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(json) });
        response.end(json);
      },
      (error: unknown) => {
        response.writeHead(500).end(String(error));
      },
    );
  });
}

function serveExpress() {
  const app = express();
  app.get('/page/:id', async (request, response) => {
    response.json((await query(PAGE, [request.params.id]))[0]);
  });
  return createServer(app);
}

const server = process.argv[2] === 'express' ? serveExpress() : serveBare();
server.listen(0, '127.0.0.1', () => send({ port: (server.address() as AddressInfo).port }));
process.on('disconnect', () => process.exit(0));
