import { describe, expect, it } from '@jest/globals';
import { useApp } from './app.js';
import { buildOrganization } from './build.js';

const app = useApp();

describe('a space', () => {
  it('begins with one page, or empty', async () => {
    const org = await buildOrganization(app.current);
    const made = await org.admin.api.post<{ id: string; revision: string; title: string }>(`/orgs/${org.id}/spaces`, { title: 'Handbook', empty: true });
    expect(made.status).toBe(201);
    const pages = await org.admin.api.get<{ pages: unknown[] }>(`/spaces/${made.body.id}/content/pages`);
    expect(pages.body).toEqual({ pages: [] });
  });
});
