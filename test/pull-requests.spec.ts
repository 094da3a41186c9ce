import { expect, it } from '@jest/globals';
import { mergeLines } from '../src/formats/markdown/merge-text.js';
import { useApp } from './app.js';
import type { Pull } from './forge.js';
import { describeWithGit } from './git-http-backend.js';
import { FILES } from './git-pair.js';
import { useForge } from './git-world.js';
import { PullWorld, type PullProvider } from './pull-world.js';

const app = useApp();

describeWithGit('a pull request of the connected repository', () => {
  const hosted = useForge(app);

  /** A space that is equal with its branch, and follows pull requests. */
  const connected = (provider?: PullProvider) => PullWorld.connect(hosted, provider);

  const GUIDE = FILES['guide.md'];
  const changed = { 'guide.md': GUIDE.replace('Second', 'A changed') };

  it('becomes a change request that follows it, keeps what people change, and is closed and opened with it', async () => {
    const world = await connected();
    const { pair, repo } = world;
    const pull = await hosted.server.open(repo, { title: 'Change a word', body: 'It was wrong.', files: changed });
    await pair.sync();
    expect(await pair.state()).not.toHaveProperty('error');
    const [request] = await world.requests();
    if (!request) throw new Error('there is no change request');
    expect(request).toMatchObject({ subject: 'Change a word', status: 'open' });
    const { body: shown } = await hosted.organization.admin.api.get<{ descriptionMarkdown: string }>(
      `${world.at(request)}?format=markdown`,
    );
    expect(JSON.stringify(shown)).toMatch(/Pull request #1[\s\S]*octocat[\s\S]*It was wrong/);
    expect(await world.markdown(request, 'guide')).toContain('A changed paragraph.');
    const { id, markdown: text } = await pair.page('guide');
    expect(text).toContain('Second paragraph.');
    // Somebody changes another paragraph, and takes one away; the pull request gets another commit.
    const edit = (await world.markdown(request, 'guide')).replace('First paragraph', 'Our first paragraph');
    const changes = [
      { operation: 'update_page', page: id, document: { markdown: edit } },
      { operation: 'insert_page', title: 'Ours', document: { markdown: 'Ours.' } },
    ];
    expect((await hosted.organization.admin.api.post(`${world.at(request)}/content`, { changes })).status).toBe(200);
    await hosted.server.push(repo, pull, {
      'guide.md': changed['guide.md'].replace('Third', 'Their third'),
      'new.md': '# New\n\nTheirs.\n',
    });
    await pair.sync();
    expect(await pair.state()).not.toHaveProperty('error');
    const both = await world.markdown(request, 'guide');
    expect(both).toMatch(/Our first paragraph[\s\S]*A changed[\s\S]*Their third/);
    expect(await world.markdown(request, 'ours')).toContain('Ours.');
    expect(await world.markdown(request, 'new')).toContain('Theirs.');
    pull.state = 'closed';
    await pair.sync();
    expect(await world.requests()).toMatchObject([{ status: 'archived' }]);
    pull.state = 'open';
    await pair.sync();
    expect(await world.requests()).toMatchObject([{ status: 'open' }]);
    expect(await world.markdown(request, 'guide')).toBe(both);
  });

  it('says at the forge how it is: by a status, and by one comment', async () => {
    const world = await connected();
    const { pair, repo } = world;
    const broken = { 'guide.md': `${GUIDE}\nSee [nothing](nothing.md).\n` };
    const pull = await hosted.server.open(repo, { title: 'Break a link', files: broken });
    await pair.sync();
    expect(pull.statuses.map(({ state }) => state)).toEqual(['pending', 'failure']);
    const [request] = await world.requests();
    expect(pull.statuses.at(-1)?.url).toContain(`/~/changes/${request?.number ?? ''}`);
    expect(pull.comments).toHaveLength(1);
    expect(pull.comments[0]?.text).toMatch(/\[Guide\]\(http/);
    await pair.sync();
    expect(pull.statuses).toHaveLength(2);
    await hosted.server.push(repo, pull, changed);
    // A server that ended before it noted its comment finds it again.
    await app.current.database.execute('UPDATE git_pull_request SET comment_id = NULL');
    await pair.sync();
    expect(pull.statuses.at(-1)).toMatchObject({ oid: pull.head, state: 'success' });
    expect(pull.comments).toHaveLength(1);
    expect(pull.comments[0]?.text).toContain('no broken links');
  });

  it('is merged here when the forge merges it, without a commit of ours, and with what people have changed', async () => {
    const world = await connected();
    const { pair, repo } = world;
    const pull = await hosted.server.open(repo, {
      title: 'Add a page',
      files: { ...changed, 'new.md': '# New\n\nNew.\n' },
    });
    await pair.sync();
    const merged = await hosted.server.merge(repo, pull);
    await pair.sync();
    expect(await pair.state()).not.toHaveProperty('error');
    expect(await world.requests()).toMatchObject([{ status: 'merged' }]);
    expect((await pair.page('guide')).markdown).toContain('A changed paragraph.');
    expect(pair.head).toBe(merged);
    expect(await pair.sync()).toMatchObject({ changed: false });
    expect(pair.head).toBe(merged);
  });

  it('is merged at the forge when its change request is merged, or closed where the forge refuses', async () => {
    const world = await connected();
    const { pair, repo } = world;
    const merge = async (pull: Pull): Promise<void> => {
      const request = (await world.requests()).find(({ subject }) => subject === pull.title);
      if (!request) throw new Error('there is no change request');
      await world.merge(request);
      expect(await pair.state()).not.toHaveProperty('error');
    };
    const pull = await hosted.server.open(repo, { title: 'First', files: { ...changed, 'new.md': '# New\n\nNew.\n' } });
    await pair.sync();
    await merge(pull);
    expect(pull.state).toBe('merged');
    expect(pair.head).toBe(pull.mergedAs);
    const other = await hosted.server.open(repo, { title: 'Other', files: { 'README.md': '# Home\n\nOther.\n' } });
    await pair.sync();
    hosted.server.intercept = ({ path }) => (path.endsWith('/merge') ? { status: 405, body: {} } : undefined);
    await merge(other);
    await pair.settle();
    hosted.server.intercept = undefined;
    expect((await pair.files())['README.md']).toBe('# Home\n\nOther.\n');
    expect(other.state).toBe('closed');
    expect(other.comments.at(-1)?.text).toContain('were merged');
    expect((await pair.repository.commitAt(pair.head)).message).toMatch(/^Other \(#2\)/);
  });

  const SAID = {
    gitlab: ['pending', 'failed', 'success'],
    gitea: ['pending', 'failure', 'success'],
    bitbucket: ['INPROGRESS', 'FAILED', 'SUCCESSFUL'],
  } as const;

  it.each(['gitlab', 'gitea', 'bitbucket'] as const)('is followed at %s as well', async (provider) => {
    const world = await connected(provider);
    const { pair, repo } = world;
    const [pending, failure, success] = SAID[provider];
    const broken = { 'guide.md': `${GUIDE}\nSee [nothing](nothing.md).\n` };
    const pull = await hosted.server.open(repo, { title: 'Change a word', body: 'It was wrong.', files: broken });
    await pair.sync();
    expect(await pair.state()).not.toHaveProperty('error');
    expect(await world.requests()).toMatchObject([{ subject: 'Change a word', status: 'open' }]);
    expect(pull.statuses.map(({ state }) => state)).toEqual([pending, failure]);
    await hosted.server.push(repo, pull, changed);
    await pair.sync();
    expect(pull.statuses.at(-1)).toMatchObject({ oid: pull.head, state: success });
    expect(pull.comments).toHaveLength(1);
    expect(pull.comments[0]?.text).toContain('no broken links');
    const [request] = await world.requests();
    if (!request) throw new Error('there is no change request');
    await world.merge(request);
    expect(await pair.state()).not.toHaveProperty('error');
    expect([pull.state, pair.head]).toEqual(['merged', pull.mergedAs]);
    const other = await hosted.server.open(repo, { title: 'Add a page', files: { 'new.md': '# New\n\nNew.\n' } });
    await pair.sync();
    const merged = await hosted.server.merge(repo, other);
    await pair.sync();
    expect((await world.requests()).map(({ status }) => status)).toEqual(['merged', 'merged']);
    expect(await pair.sync()).toMatchObject({ changed: false });
    expect(pair.head).toBe(merged);
    const last = await hosted.server.open(repo, { title: 'Not wanted', files: { 'bad.md': '# Bad\n' } });
    await pair.sync();
    last.state = 'closed';
    await pair.sync();
    expect(await world.requests()).toMatchObject([{ status: 'archived' }, { status: 'merged' }, { status: 'merged' }]);
  });

  it('shows what it changes on top of the branch, also where it has left that long ago', async () => {
    const world = await connected();
    const { pair, repo } = world;
    const before = pair.head;
    await pair.push({ 'README.md': '# Home\n\nPushed.\n', 'guide.md': GUIDE.replace('Third', 'A third') });
    await pair.sync();
    await hosted.server.open(repo, {
      title: 'Old',
      files: { 'guide.md': GUIDE.replace('First', 'A first') },
      onto: before,
    });
    await pair.sync();
    expect(await pair.state()).not.toHaveProperty('error');
    const [request] = await world.requests();
    if (!request) throw new Error('there is no change request');
    expect(await world.markdown(request, 'guide')).toMatch(/A first[\s\S]*A third/);
    const { body } = await hosted.organization.admin.api.get<{ changes: unknown[] }>(`${world.at(request)}/changes`);
    expect(body.changes).toHaveLength(1);
    expect(mergeLines('a\nb\n', 'a\nours\n', 'a\ntheirs\n')).toEqual({ text: 'a\ntheirs\n', hasConflict: true });
    expect(mergeLines('a\nb\nc\n', 'A\nb\nc\n', 'a\nb\nC\n')).toEqual({ text: 'A\nb\nC\n', hasConflict: false });
  });
});
