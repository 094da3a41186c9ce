import { expect, it } from '@jest/globals';
import { useApp } from './app.js';
import { discussion, post, write } from './discussion.js';

const app = useApp();

it.each(['read', 'create'] as const)(
  "a guest who may %s sees nobody's address but their own, wherever people are shown",
  async (role) => {
    const { org, admin, id, space, request, page } = await discussion(app.current);
    const [guest, reviewer] = [await org.member('none'), await org.member('review')];
    await admin.api.post(`${space}/permissions`, { role, users: [guest.id] });
    await write(reviewer, request, { operation: 'insert_page', title: 'Proposed', document: { markdown: 'New' } });
    await post(admin, request, 'Hello', {});
    await admin.api.post(`${request}/requested-reviewers`, { users: [guest.id] });
    const review = await reviewer.api.post<{ id: string }>(`${request}/reviews`, {
      status: 'approved',
      comment: { markdown: 'Fine' },
    });
    const merged = await admin.api
      .post<{ revision: string }>(`${space}/change-requests`, { subject: 'Done' })
      .then(async ({ body }) => {
        const place = `${space}/change-requests/${(body as unknown as { id: string }).id}`;
        await write(admin, place, { operation: 'insert_page', title: 'Merged', document: { markdown: 'Here' } });
        return (await admin.api.post<{ revision: string }>(`${place}/merge`)).body.revision;
      });
    const [others, paths] = [
      [admin, reviewer],
      [
        ...[space, request].flatMap((place) => [
          place,
          `${place}/content`,
          `${place}/comments`,
          `${place}/commenters`,
          `${place}/content/page/${page}/links`,
          `${place}/links`,
        ]),
        ...[
          'reviews',
          `reviews/${review.body.id}`,
          'requested-reviewers',
          'contributors',
          'changes',
          'conflicts',
          'merge-checks',
          'revisions',
        ].map((path) => `${request}/${path}`),
        ...[
          'change-requests',
          'change-requests?status=merged',
          'revisions',
          `revisions/${merged}`,
          `revisions/${merged}/changes`,
          'permissions/users',
        ].map((path) => `${space}/${path}`),
        ...['change-requests', 'spaces', `spaces?space=${id}`].map((path) => `/orgs/${org.id}/${path}`),
      ],
    ];
    const told: string[] = [];
    for (const path of paths) {
      // The administrator comes first: what is kept for one must not be given to the other.
      const [all, seen] = [
        JSON.stringify((await admin.api.get(path)).body),
        JSON.stringify((await guest.api.get(path)).body),
      ];
      if (all.includes(admin.email) || all.includes(reviewer.email)) told.push(path);
      expect([path, others.filter(({ email }) => seen.includes(email))]).toEqual([path, []]);
    }
    expect(told.length).toBeGreaterThan(10);
    expect(
      (await guest.api.get<{ items: { user: { email?: string } }[] }>(`${request}/requested-reviewers`)).body.items[0]
        ?.user.email,
    ).toBe(guest.email);
    if (role === 'read') return;
    const made = await guest.api.post<{ id: string; createdBy: { email?: string } }>(`${space}/change-requests`, {
      subject: 'Mine',
    });
    expect(made.body.createdBy.email).toBe(guest.email);
    const answers = [
      await guest.api.patch(request, { subject: 'Another' }),
      await guest.api.post(`${request}/content`, { changes: [{ operation: 'insert_page', title: 'Guest' }] }),
      await guest.api.post(`${request}/requested-reviewers`, { users: [reviewer.id] }),
    ];
    expect(
      answers.map(({ status, body }) => [status, others.some(({ email }) => JSON.stringify(body).includes(email))]),
    ).toEqual([
      [200, false],
      [200, false],
      [200, false],
    ]);
  },
);
