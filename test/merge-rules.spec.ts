import { describe, expect, it } from '@jest/globals';
import {
  checkRules,
  standingReviews,
  type MergeFacts,
  type MergeReview,
} from '../src/authoring/change-requests/domain/merge-checks.js';
import {
  BARE_RULES,
  CUSTOM_SCOPE,
  hinders,
  mayBypass,
  mergeRulesFault,
  USER_RULES,
  type MergeRule,
} from '../src/identity/organizations/domain/merge-rules.js';
import { useApp } from './app.js';
import { buildOrganization, type Person } from './build.js';

const review = (
  reviewer: string,
  status: MergeReview['status'],
  outdated = false,
  agent: string | null = null,
): MergeReview => ({
  id: `r-${reviewer}`,
  status,
  outdated,
  agent,
  reviewer: { id: reviewer, displayName: reviewer.toUpperCase() },
});

function facts({
  reviews = [],
  ...changes
}: {
  reviews?: MergeReview[];
  actor?: string;
  subject?: string;
  description?: string;
  outdated?: boolean;
} = {}): MergeFacts {
  const { actor = 'ada', subject = 'Subject', description = '', outdated = false } = changes;
  return {
    actor: { id: actor },
    space: { id: 's', title: 'Docs', editMode: 'locked' },
    changeRequest: { id: 'c', number: 7, status: 'open', subject, description, outdated, createdBy: { id: 'ada' } },
    reviews,
  };
}

const custom = (expression: string, message?: string): MergeRule => ({
  rule: 'custom',
  expression,
  ...(message !== undefined && { message }),
});

const inTheWay = (rules: readonly MergeRule[], given: MergeFacts) => checkRules(rules, given).find(hinders);

describe('the checks of merge rules', () => {
  const [yes, no] = [review('bob', 'approved'), review('cid', 'changes-requested')];
  const byAgent = (status: MergeReview['status']) => review('ada', status, false, 'Linter');
  const bare = (rule: (typeof BARE_RULES)[number]) => ({ rule }) as MergeRule;
  const cases: readonly (readonly [rule: MergeRule, given: MergeFacts, reason: RegExp | undefined])[] = [
    [bare('require_at_least_one_review'), facts(), /nobody has reviewed/],
    [bare('require_at_least_one_review'), facts({ reviews: [no] }), undefined],
    [bare('require_at_least_one_approved_review'), facts({ reviews: [no] }), /nobody has approved/],
    [bare('require_at_least_one_approved_review'), facts({ reviews: [no, yes] }), undefined],
    [bare('require_all_reviews_approved'), facts(), undefined],
    [bare('require_all_reviews_approved'), facts({ reviews: [yes] }), undefined],
    [bare('require_all_reviews_approved'), facts({ reviews: [yes, no] }), /changes are requested by CID/],
    [bare('require_agent_review'), facts({ reviews: [yes] }), /no agent has approved/],
    [bare('require_agent_review'), facts({ reviews: [byAgent('approved')] }), undefined],
    [bare('require_agent_review'), facts({ reviews: [byAgent('changes-requested')] }), /no agent has approved/],
    [bare('require_at_least_one_review'), facts({ reviews: [byAgent('approved')] }), /nobody has reviewed/],
    [bare('require_at_least_one_approved_review'), facts({ reviews: [byAgent('approved')] }), /nobody has approved/],
    [bare('require_all_reviews_approved'), facts({ reviews: [yes, byAgent('changes-requested')] }), /Linter for ADA/],
    [bare('require_up_to_date_change_request'), facts(), undefined],
    [bare('require_up_to_date_change_request'), facts({ outdated: true }), /update the change request first/],
    [bare('require_change_request_subject'), facts(), undefined],
    [bare('require_change_request_subject'), facts({ subject: ' ' }), /has no subject/],
    [bare('require_change_request_description'), facts({ description: 'Why' }), undefined],
    [bare('require_change_request_description'), facts(), /has no description/],
    [bare('require_author_to_merge'), facts(), undefined],
    [bare('require_author_to_merge'), facts({ actor: 'bob' }), /only the author/],
    [{ rule: 'require_specific_reviewers', users: ['bob'] }, facts({ reviews: [yes] }), undefined],
    [
      { rule: 'require_specific_reviewers', users: ['bob', 'cid', 'dan'] },
      facts({ reviews: [yes, no] }),
      /lacks the approval of cid, dan/,
    ],
    [{ rule: 'require_one_of_specific_reviewers', users: ['bob', 'cid'] }, facts({ reviews: [yes] }), undefined],
    [
      { rule: 'require_one_of_specific_reviewers', users: ['cid', 'dan'] },
      facts({ reviews: [yes, no] }),
      /approval of one of cid, dan/,
    ],
    [custom('changeRequest.subject.startsWith("Sub") && changeRequest.number === 7'), facts(), undefined],
    [custom('actor.id !== changeRequest.createdBy.id'), facts(), /this does not hold: actor\.id/],
    [custom('actor.id !== changeRequest.createdBy.id', 'Ask somebody else'), facts(), /^Ask somebody else$/],
    [custom('reviews.filter(r => r.status === "approved").length >= 2'), facts({ reviews: [yes] }), /does not hold/],
    [
      custom('reviews.filter(r => r.status === "approved").length >= 2'),
      facts({ reviews: [yes, review('dan', 'approved')] }),
      undefined,
    ],
    [
      custom('reviews.some(r => r.reviewer.id === "bob") && space.title === "Docs"'),
      facts({ reviews: [yes] }),
      undefined,
    ],
    ...['"changes-requested"', '"changes_requested"'].flatMap((status) => [
      [custom(`reviews.every(r => r.status !== ${status})`), facts({ reviews: [no] }), /does not hold/] as const,
      [
        custom(`reviews.some(r => ${status} == r.status) && [${status}].includes(reviews[0].status)`),
        facts({ reviews: [no] }),
        undefined,
      ] as const,
    ]),
    [custom('reviews[0].status === "approved"'), facts(), /came to no value: undefined has no fields/],
    // Rules that were set before their fields were looked at.
    [custom('!changeRequest.isDraft'), facts(), /came to no value: there is no field isDraft/],
    [
      custom('reviews.lenght === undefined || reviews.every(r => !r.reviewer.email)'),
      facts({ reviews: [yes] }),
      /there is no field lenght/,
    ],
    [custom('changeRequest["is" + "Draft"] === undefined'), facts(), /there is no field isDraft/],
    [custom('reviews[0]?.status !== "changes-requested"'), facts(), undefined],
    [
      custom('reviews.map(a => reviews.map(b => reviews.map(c => reviews.map(d => reviews.map(e => 1)))))'),
      facts({ reviews: Array.from({ length: 20 }, () => yes) }),
      /too many steps/,
    ],
  ];

  it.each(
    cases.map(([rule, given, reason]) => ({
      rule,
      given,
      reason,
      name: 'expression' in rule ? rule.expression : rule.rule,
    })),
  )('$name', ({ rule, given, reason }) => {
    const failure = inTheWay([rule], given);
    if (reason)
      expect(failure).toEqual({ index: 0, rule: rule.rule, reason: expect.stringMatching(reason), bypassed: false });
    else expect(failure).toBeUndefined();
  });

  it('are there for every kind of rule', () => {
    const tried = new Set(cases.map(([rule]) => rule.rule));
    expect([...tried].sort()).toEqual(
      [...BARE_RULES, ...USER_RULES, 'custom'].filter((rule) => rule !== 'allow_bypass').sort(),
    );
  });

  it('stop at the first rule in the way, and begin anew after a bypass of the actor', () => {
    const [subject, description] = [bare('require_change_request_subject'), bare('require_change_request_description')];
    const bypass = (...users: string[]): MergeRule => ({ rule: 'allow_bypass', users });
    const without = facts({ subject: '' });
    expect(inTheWay([subject, description], without)).toMatchObject({
      index: 0,
      rule: 'require_change_request_subject',
    });
    expect(inTheWay([subject, description, bypass('bob')], without)).toMatchObject({ index: 0 });
    expect(inTheWay([subject, description, bypass('bob', 'ada')], without)).toBeUndefined();
    expect(inTheWay([subject, bypass('ada'), description], without)).toMatchObject({
      index: 2,
      rule: 'require_change_request_description',
    });
    expect([
      mayBypass([], 'ada'),
      mayBypass([subject], 'ada'),
      mayBypass([subject, bypass('ada')], 'ada'),
      mayBypass([bypass('ada'), subject], 'ada'),
      mayBypass([subject, bypass('ada')], 'bob'),
    ]).toEqual([true, false, true, false, false]);
  });

  it('look at reviews that stand: approvals of the present content, and all objections', () => {
    const all = [
      review('a', 'approved'),
      review('b', 'approved', true),
      review('c', 'changes-requested'),
      review('d', 'changes-requested', true),
    ];
    expect(standingReviews(all).map(({ reviewer }) => reviewer.id)).toEqual(['a', 'c', 'd']);
  });
});

describe('merge rules in a body', () => {
  const rules = (...list: unknown[]) => ({ type: 'rules', rules: list });
  it.each([
    [7, ''],
    [{ type: 'some' }, 'type'],
    [{ type: 'rules' }, 'rules'],
    [rules('x'), 'rules.0'],
    [rules({ rule: 'require_at_least_one_review' }, { rule: 'require_nothing' }), 'rules.1.rule'],
    [rules({ rule: 'allow_bypass' }), 'rules.0.users'],
    [rules({ rule: 'require_specific_reviewers', users: [] }), 'rules.0.users'],
    [rules({ rule: 'custom' }), 'rules.0.expression'],
    [rules({ rule: 'custom', expression: ' ' }), 'rules.0.expression'],
    [rules({ rule: 'custom', expression: 'true &&' }), 'rules.0.expression'],
    [rules({ rule: 'custom', expression: 'while (true) {}' }), 'rules.0.expression'],
    [rules({ rule: 'custom', expression: `"${'x'.repeat(1023)}"` }), 'rules.0.expression'],
    [rules({ rule: 'custom', expression: 'visitor.claims.x' }), 'rules.0.expression'],
    [rules({ rule: 'custom', expression: 'true', message: 7 }), 'rules.0.message'],
    [rules({ rule: 'custom', expression: 'true', message: 'x'.repeat(501) }), 'rules.0.message'],
    [rules({ rule: 'custom', expression: `"${'x'.repeat(1022)}"`, message: 'x'.repeat(500) }), undefined],
    [{ type: 'none' }, undefined],
    [{ type: 'none', rules: [{ rule: 'require_at_least_one_review' }] }, 'rules'],
    [{ type: 'inherit', rules: [] }, 'rules'],
    [rules({ rule: 'require_at_least_one_review', users: ['a'] }), 'rules.0.users'],
    [rules({ rule: 'allow_bypass', users: ['a'], message: 'x' }), 'rules.0.message'],
    [rules({ rule: 'custom', expression: 'true', users: ['a'] }), 'rules.0.users'],
  ])('%j: %s', (value, path) => {
    expect(mergeRulesFault(value, true)?.path).toBe(path);
  });

  it.each([
    ['reviews.lenght > 1', 'reviews is a list and has no field lenght: it has length'],
    [
      'changeRequest.autor.id === actor.id',
      'changeRequest has no field autor: it has id, number, status, subject, description, outdated, createdBy',
    ],
    [
      'reviews.filter(r => r.status === "approved").some(r => r.reviewer.email)',
      'r.reviewer has no field email: it has id, displayName',
    ],
    [
      '!changeRequest.isDraft && !changeRequest.blocked',
      'changeRequest has no field isDraft: it has id, number, status, subject, description, outdated, createdBy',
    ],
    [
      'reviews[0]?.statsu === "approved"',
      'reviews[0] has no field statsu: it has id, status, outdated, agent, reviewer',
    ],
    [
      'reviews.map(r => r.reviewer).map((who, i, all) => all[i].name)',
      'all[…] has no field name: it has id, displayName',
    ],
    [
      'reviews.find(r => r.outdated).by',
      'reviews.find(…) has no field by: it has id, status, outdated, agent, reviewer',
    ],
    ['`${actor.name}`', 'actor has no field name: it has id'],
    ['changeRequest.subject.size > 1', 'changeRequest.subject is a text and has no field size: it has length'],
    ['changeRequest.number.length', 'changeRequest.number is a number and has no field length'],
    ['changeRequest.outdated ? space.name : true', 'space has no field name: it has id, title, editMode'],
  ])('name only what is there: %s', (expression, message) => {
    expect(mergeRulesFault(rules({ rule: 'custom', expression }), true)).toEqual({
      path: 'rules.0.expression',
      message,
    });
  });

  it.each([
    'reviews.filter(r => r.status === "approved").length >= 2 && changeRequest.createdBy.id !== actor.id',
    'reviews.map(r => r.reviewer.displayName).join().length < 9 || reviews[reviews.length - 1].reviewer.id === actor.id',
    '(reviews.find(r => !r.outdated) ?? { status: "" }).status === "approved"',
    'changeRequest.subject.split(" ").at(0).length > 1 && space.title.toLowerCase()[0] === "d"',
    'reviews.every((r, index) => [r, reviews[index]].map(x => ({ y: x.status })).every(z => z.y))',
    'reviews.slice(1).some(reviews => reviews.id.includes("x")) || typeof changeRequest.outdated === "boolean"',
  ])('take what is there: %s', (expression) => {
    expect(mergeRulesFault(rules({ rule: 'custom', expression }), true)).toBeUndefined();
    expect(
      inTheWay(
        [custom(`[${expression}].length === 1`)],
        facts({ reviews: [review('bob', 'approved'), review('cid', 'changes-requested')] }),
      ),
    ).toBeUndefined();
  });

  it('see exactly what there is when they are asked', () => {
    const shapeOf = (value: unknown): unknown => {
      if (Array.isArray(value)) return { of: shapeOf(value[0]) };
      if (typeof value === 'object' && value !== null)
        return { fields: Object.fromEntries(Object.entries(value).map(([name, field]) => [name, shapeOf(field)])) };
      return { string: 'text', number: 'number', boolean: 'flag' }[typeof value as 'string'];
    };
    expect({ fields: CUSTOM_SCOPE }).toEqual(shapeOf(facts({ reviews: [review('bob', 'approved', false, 'Linter')] })));
  });

  it('may only inherit in a space', () => {
    expect([mergeRulesFault({ type: 'inherit' }, true), mergeRulesFault({ type: 'inherit' }, false)?.path]).toEqual([
      undefined,
      'type',
    ]);
  });
});

const app = useApp();

interface Made {
  id: string;
  revision: string;
}
interface Refusal {
  error: { code: number; message: string; details: { path: string; message: string }[] };
}

/** A locked space with a change request of an editor, and people who may review and merge. */
async function proposal() {
  const org = await buildOrganization(app.current);
  const { admin } = org;
  const { body: space } = await admin.api.post<Made>(`/orgs/${org.id}/spaces`, { title: 'Docs', empty: true });
  const [author, reviewer] = [await org.member('review'), await org.member('review')];
  const url = `/spaces/${space.id}`;
  const cr = await propose(author, url);
  const require = async (...rules: object[]) =>
    expect((await admin.api.patch(url, { mergeRules: { type: 'rules', rules } })).body).toMatchObject({
      mergeRules: { type: 'rules', rules },
    });
  return { org, admin, author, reviewer, url, cr, require };
}

async function propose(author: Person, url: string, title = 'Proposed'): Promise<string> {
  const { body } = await author.api.post<Made>(`${url}/change-requests`, { subject: 'Proposal' });
  const cr = `${url}/change-requests/${body.id}`;
  await write(author, cr, title);
  return cr;
}

async function write(person: Person, at: string, title: string): Promise<void> {
  expect(
    (
      await person.api.post(`${at}/content`, {
        changes: [{ operation: 'insert_page', title, document: { markdown: title } }],
      })
    ).status,
  ).toBe(200);
}

const approve = (person: Person, cr: string, status = 'approved') => person.api.post(`${cr}/reviews`, { status });
const merge = (person: Person, cr: string) =>
  person.api.post<Refusal & { result?: string; revision?: string }>(`${cr}/merge`);

describe('merging under rules', () => {
  it('is refused with the first rule that is not fulfilled, and changes nothing', async () => {
    const { admin, author, reviewer, cr, require } = await proposal();
    await require({ rule: 'require_change_request_subject' }, { rule: 'require_at_least_one_approved_review' }, {
      rule: 'require_change_request_description',
    });
    const before = (await admin.api.get(cr)).body;
    for (const person of [author, admin]) {
      expect((await merge(person, cr)).body).toMatchObject({
        error: {
          code: 403,
          message:
            'The rule require_at_least_one_approved_review is not fulfilled: nobody has approved the change request as it is now',
          details: [{ path: 'mergeRules.rules.1' }],
        },
      });
    }
    expect((await admin.api.get(cr)).body).toEqual(before);
    await approve(reviewer, cr);
    expect((await merge(author, cr)).body.error.message).toContain('require_change_request_description');
    const paragraph = (text: string) => ({
      object: 'document',
      data: {},
      nodes: [
        {
          object: 'block',
          type: 'paragraph',
          isVoid: false,
          data: {},
          nodes: [{ object: 'text', leaves: [{ object: 'leaf', text, marks: [] }] }],
        },
      ],
    });
    await author.api.patch(cr, { description: paragraph(' ') });
    expect((await merge(author, cr)).status).toBe(403);
    await author.api.patch(cr, { description: paragraph('Because') });
    for (const way of ['merge', 'update'])
      expect((await author.api.post(`${cr}/${way}`, undefined, { headers: { 'If-Match': '"1.x"' } })).status).toBe(412);
    const merged = await merge(author, cr);
    expect(merged.body).toMatchObject({ result: 'merge' });
    // Merging again changes nothing, so that no rule stands in its way.
    await require({ rule: 'require_agent_review' });
    expect((await merge(author, cr)).body).toEqual(merged.body);
  });

  it('needs approvals of what is merged: new content ends them, and objections stay until the reviewer has changed their mind', async () => {
    const { admin, author, reviewer, cr, require } = await proposal();
    await require({ rule: 'require_at_least_one_approved_review' }, { rule: 'require_all_reviews_approved' });
    await approve(reviewer, cr);
    await write(author, cr, 'Something else');
    expect((await merge(author, cr)).status).toBe(403);
    await approve(admin, cr);
    await approve(reviewer, cr, 'changes-requested');
    await write(author, cr, 'More');
    await approve(admin, cr);
    expect((await merge(author, cr)).body.error.message).toContain('changes are requested by Person');
    await approve(reviewer, cr);
    expect((await merge(author, cr)).body).toMatchObject({ result: 'merge' });
  });

  it('goes by the last review of each, whatever the clock says', async () => {
    const { author, reviewer, cr, require } = await proposal();
    await require({ rule: 'require_all_reviews_approved' });
    const now = Date.now();
    try {
      for (const [at, status] of [
        [now, 'approved'],
        [now - 60_000, 'changes-requested'],
        [now - 60_000, 'approved'],
        [now - 30_000, 'changes-requested'],
      ] as const) {
        app.current.setTime(new Date(at));
        expect((await approve(reviewer, cr, status)).status).toBe(201);
        expect((await author.api.get(`${cr}/merge-checks`)).body).toMatchObject({ allowed: status === 'approved' });
      }
    } finally {
      app.current.setTime(undefined);
    }
    const { items } = (await author.api.get<{ items: { status: string }[] }>(`${cr}/reviews`)).body;
    expect(items.map(({ status }) => status)).toEqual([
      'changes-requested',
      'approved',
      'changes-requested',
      'approved',
    ]);
  });

  it('counts reviews of those who still may review', async () => {
    const { org, admin, author, reviewer, url, cr, require } = await proposal();
    await require({ rule: 'require_specific_reviewers', users: [reviewer.id] });
    await approve(admin, cr);
    const refusal = (await merge(author, cr)).body.error.message;
    expect(refusal).toContain('lacks the approval of Person');
    expect(refusal).not.toContain(reviewer.id);
    await approve(reviewer, cr);
    await admin.api.post(`${url}/permissions`, { users: [reviewer.id], role: 'comment' });
    expect((await merge(author, cr)).status).toBe(403);
    await admin.api.delete(`${url}/permissions/users/${reviewer.id}`);
    await app.current.database.execute(
      'UPDATE member SET disabled = true WHERE organization_id = $1 AND user_id = $2',
      [org.id, reviewer.id],
    );
    expect((await merge(author, cr)).status).toBe(403);
    await app.current.database.execute(
      'UPDATE member SET disabled = false WHERE organization_id = $1 AND user_id = $2',
      [org.id, reviewer.id],
    );
    expect((await merge(author, cr)).body).toMatchObject({ result: 'merge' });
  });

  it('goes by the rules of the organization where the space inherits them, and by none where it says so', async () => {
    const { org, admin, author, url, cr } = await proposal();
    expect((await admin.api.get(url)).body).toMatchObject({ mergeRules: { type: 'inherit' } });
    await admin.api.patch(`/orgs/${org.id}`, {
      mergeRules: { type: 'rules', rules: [{ rule: 'require_agent_review' }] },
    });
    expect((await merge(author, cr)).body).toMatchObject({
      error: {
        code: 403,
        message: expect.stringContaining('The rule require_agent_review of the organization is not fulfilled'),
        details: [{ path: 'organization.mergeRules.rules.0' }],
      },
    });
    await admin.api.patch(url, { mergeRules: { type: 'none' } });
    expect((await merge(author, cr)).body).toMatchObject({ result: 'merge' });
    await admin.api.patch(url, { mergeRules: { type: 'inherit' } });
    const second = await propose(author, url, 'Second');
    expect((await merge(author, second)).status).toBe(403);
    await admin.api.patch(`/orgs/${org.id}`, { mergeRules: { type: 'none' } });
    expect((await merge(author, second)).body).toMatchObject({ result: 'merge' });
  });

  it('takes an up-to-date change request, its author or a bypass where the rules say so', async () => {
    const { admin, author, reviewer, url, cr, require } = await proposal();
    const other = await propose(author, url, 'Other');
    await require({ rule: 'require_up_to_date_change_request' }, { rule: 'require_author_to_merge' }, {
      rule: 'allow_bypass',
      users: [admin.id],
    });
    expect((await merge(reviewer, cr)).body.error.message).toContain('require_author_to_merge');
    expect((await merge(author, cr)).body).toMatchObject({ result: 'merge' });
    expect((await merge(author, other)).body.error.message).toContain('require_up_to_date_change_request');
    await author.api.post(`${other}/update`);
    expect((await merge(reviewer, other)).status).toBe(403);
    expect((await merge(admin, other)).body).toMatchObject({ result: 'merge' });
  });

  it('can be looked at before, by everybody who sees the change request', async () => {
    const { org, admin, author, reviewer, cr, require } = await proposal();
    const reader = await org.member('read');
    const checks = async (person: Person) => (await person.api.get(`${cr}/merge-checks`)).body;
    expect(await checks(reader)).toEqual({ allowed: true, rules: [] });
    await require({ rule: 'require_at_least_one_approved_review' }, { rule: 'allow_bypass', users: [admin.id] }, {
      rule: 'require_author_to_merge',
    });
    const [approved, byAuthor] = [
      { rule: 'require_at_least_one_approved_review', title: 'There is an approval' },
      { rule: 'require_author_to_merge', title: 'The author merges' },
    ];
    const nobody = {
      ...approved,
      fulfilled: false,
      bypassed: false,
      reason: 'nobody has approved the change request as it is now',
    };
    const other = {
      ...byAuthor,
      fulfilled: false,
      bypassed: false,
      reason: 'only the author of the change request may merge it',
    };
    expect(await checks(reader)).toEqual({ allowed: false, rules: [nobody, other] });
    expect(await checks(author)).toEqual({
      allowed: false,
      rules: [nobody, { ...byAuthor, fulfilled: true, bypassed: false }],
    });
    expect(await checks(admin)).toEqual({ allowed: false, rules: [{ ...nobody, bypassed: true }, other] });
    await approve(reviewer, cr);
    expect(await checks(author)).toMatchObject({ allowed: true });
    expect((await merge(author, cr)).body).toMatchObject({ result: 'merge' });
    expect((await admin.api.get(`${cr.slice(0, cr.lastIndexOf('/'))}/99/merge-checks`)).status).toBe(404);
  });

  it('asks an expression, and says its message', async () => {
    const { author, reviewer, cr, require } = await proposal();
    await require({
      rule: 'custom',
      expression: 'reviews.filter(r => r.status === "approved" && r.reviewer.id !== actor.id).length >= 1',
      message: 'Somebody else has to approve',
    });
    expect((await merge(author, cr)).body).toMatchObject({
      error: { code: 403, message: 'The rule custom is not fulfilled: Somebody else has to approve' },
    });
    await approve(reviewer, cr);
    expect((await merge(reviewer, cr)).status).toBe(403);
    await require({ rule: 'custom', expression: 'reviews[7].status === "approved"' });
    expect((await merge(author, cr)).body.error.message).toBe(
      'The rule custom is not fulfilled: its expression came to no value: undefined has no fields',
    );
    await require({
      rule: 'custom',
      expression:
        'changeRequest.subject === "Proposal" && !changeRequest.outdated && changeRequest.description === "" && space.editMode === "locked"',
    });
    expect((await merge(author, cr)).body).toMatchObject({ result: 'merge' });
  });

  it('stays with roles for those who may not merge at all', async () => {
    const { org, cr, require } = await proposal();
    const editor = await org.member('edit');
    await require({ rule: 'require_change_request_subject' }, { rule: 'allow_bypass', users: [editor.id] });
    expect((await merge(editor, cr)).body.error.message).toContain('space:merge');
  });
});

describe('merge rules that are set', () => {
  it('name their faults by the path, and people of the organization only', async () => {
    const { org, admin, reviewer, url } = await proposal();
    const stranger = (await proposal()).admin;
    const wrong: readonly (readonly [object, string])[] = [
      [{ rule: 'unheard_of' }, 'rule'],
      [{ rule: 'custom', expression: 'reviews.length >' }, 'expression'],
      [{ rule: 'custom', expression: 'reviews.lenght > 0' }, 'expression'],
      [{ rule: 'require_at_least_one_review', users: [reviewer.id] }, 'users'],
      [{ rule: 'require_one_of_specific_reviewers', users: [reviewer.id, stranger.id] }, 'users.1'],
    ];
    for (const path of [url, `/orgs/${org.id}`]) {
      for (const [rule, at] of wrong) {
        const { body } = await admin.api.patch(path, {
          mergeRules: { type: 'rules', rules: [{ rule: 'require_at_least_one_review' }, rule] },
        });
        expect(body).toMatchObject({ error: { code: 400, details: [{ path: `mergeRules.rules.1.${at}` }] } });
      }
    }
    expect((await admin.api.patch(url, { mergeRules: 'none' })).status).toBe(400);
  });

  it('bind whoever goes back to an earlier revision of a locked space', async () => {
    const { org, admin, author, reviewer, url, cr, require } = await proposal();
    const creator = await org.member('create');
    const first = (await admin.api.get<Made>(url)).body.revision;
    await merge(author, cr);
    const back = async (person: Person, revision: string) =>
      (await person.api.post(`${url}/revisions/${revision}/rollback`)).status;
    const merged = (await admin.api.get<Made>(url)).body.revision;
    expect(await back(reviewer, first)).toBe(200);
    await require({ rule: 'require_at_least_one_review' }, { rule: 'allow_bypass', users: [author.id] });
    expect(await back(reviewer, merged)).toBe(403);
    expect([await back(author, merged), await back(creator, first)]).toEqual([200, 200]);
    await require({ rule: 'allow_bypass', users: [author.id] }, { rule: 'require_at_least_one_review' });
    expect(await back(author, merged)).toBe(403);
    await admin.api.patch(url, { mergeRules: { type: 'none' } });
    expect(await back(reviewer, merged)).toBe(200);
  });
});

interface Tested {
  allowed: boolean;
  rules: { index: number; rule: string; fulfilled: boolean; bypassed: boolean; reason?: string }[];
}

describe('merge rules', () => {
  const rules = (...list: object[]) => ({ type: 'rules', rules: list });

  it('can be tested before they are saved, on a change request', async () => {
    const { org, admin, author, reviewer, url, cr } = await proposal();
    const before = (await admin.api.get(url)).body;
    const test = async (mergeRules: object, more: object = {}) =>
      (
        await admin.api.post<Tested>(`${url}/merge-rules/test`, {
          mergeRules,
          changeRequest: cr.split('/').at(-1),
          ...more,
        })
      ).body;
    const wanted = rules(
      { rule: 'require_at_least_one_approved_review' },
      { rule: 'allow_bypass', users: [admin.id] },
      { rule: 'require_author_to_merge' },
      { rule: 'require_specific_reviewers', users: [reviewer.id] },
    );
    expect(await test(wanted)).toEqual({
      allowed: false,
      rules: [
        expect.objectContaining({ index: 0, fulfilled: false, bypassed: true }),
        expect.objectContaining({ index: 2, reason: 'only the author of the change request may merge it' }),
        expect.objectContaining({ index: 3, reason: expect.stringMatching(/lacks the approval of Person/) }),
      ],
    });
    await approve(reviewer, cr);
    expect(await test(wanted, { actor: author.id })).toMatchObject({ allowed: true });
    expect(await test(wanted, { actor: author.id, facts: { reviews: [] } })).toMatchObject({ allowed: false });
    expect(await test({ type: 'none' })).toEqual({ allowed: true, rules: [] });
    await admin.api.patch(`/orgs/${org.id}`, { mergeRules: rules({ rule: 'require_agent_review' }) });
    expect(await test({ type: 'inherit' })).toMatchObject({
      allowed: false,
      rules: [{ rule: 'require_agent_review' }],
    });
    expect((await admin.api.get(url)).body).toEqual(before);
    const asked = (person: Person, body: object) => person.api.post<Refusal>(`${url}/merge-rules/test`, body);
    const foreign = await buildOrganization(app.current);
    for (const [body, path] of [
      [{ mergeRules: wanted }, 'facts'],
      [
        { mergeRules: rules({ rule: 'custom', expression: 'reviews.lenght' }), facts: {} },
        'mergeRules.rules.0.expression',
      ],
      [
        { mergeRules: rules({ rule: 'allow_bypass', users: [foreign.admin.id] }), facts: {} },
        'mergeRules.rules.0.users.0',
      ],
      [{ mergeRules: wanted, changeRequest: '1', actor: foreign.admin.id }, 'actor'],
      [{ mergeRules: wanted, facts: { createdBy: foreign.admin.id } }, 'facts.createdBy'],
    ] as const)
      expect((await asked(admin, body)).body.error).toMatchObject({ code: 400, details: [{ path }] });
    expect((await asked(admin, { mergeRules: wanted, changeRequest: '99' })).status).toBe(404);
    expect((await asked(author, { mergeRules: wanted, changeRequest: '1' })).status).toBe(403);
    expect((await asked(foreign.admin, { mergeRules: wanted, changeRequest: '1' })).status).toBe(404);
  });

  it('can be tested on facts that are supposed', async () => {
    const { org, admin, author, reviewer, url } = await proposal();
    const holds = async (
      expression: string,
      facts: object = {},
      more: object = {},
      path = `${url}/merge-rules/test`,
    ) => {
      const mergeRules = rules({ rule: 'custom', expression, message: 'Not so' });
      const { status, body } = await admin.api.post<Tested>(path, { mergeRules, facts, ...more });
      expect(status).toBe(200);
      expect(body.rules[0]?.reason).toBe(body.allowed ? undefined : 'Not so');
      return body.allowed;
    };
    const ofOrganization = `/orgs/${org.id}/merge-rules/test`;
    for (const path of [`${url}/merge-rules/test`, ofOrganization]) {
      const check = (expression: string, facts: object, more: object = {}) => holds(expression, facts, more, path);
      for (const [expression, facts] of [
        ['changeRequest.subject === "Subject"', { subject: 'Subject' }],
        ['changeRequest.description === "Why"', { description: 'Why' }],
        ['changeRequest.outdated', { outdated: true }],
        ['changeRequest.status === "draft"', { status: 'draft' }],
        [`changeRequest.createdBy.id === "${author.id}"`, { createdBy: author.id }],
        ['space.title === "Other"', { space: { title: 'Other' } }],
        ['space.editMode === "live"', { space: { editMode: 'live' } }],
        [`reviews[0].reviewer.id === "${reviewer.id}"`, { reviews: [{ reviewer: reviewer.id, status: 'approved' }] }],
        [
          'reviews.length > 0 && reviews[0].agent',
          { reviews: [{ reviewer: author.id, status: 'approved', agent: 'Linter' }] },
        ],
        [
          'reviews.length > 0 && reviews[0].outdated',
          { reviews: [{ reviewer: author.id, status: 'changes-requested', outdated: true }] },
        ],
      ] as const)
        expect([
          expression,
          await check(expression.replace(/^reviews\[0\]/, 'reviews.length > 0 && reviews[0]'), {}),
          await check(expression, facts),
        ]).toEqual([expression, false, true]);
      expect(await check(`actor.id === "${admin.id}" && changeRequest.createdBy.id === "${admin.id}"`, {})).toBe(true);
      expect(await check(`actor.id === "${author.id}"`, {}, { actor: author.id })).toBe(true);
      // An approval of earlier content does not count.
      expect(
        await check('reviews.length === 0', { reviews: [{ reviewer: author.id, status: 'approved', outdated: true }] }),
      ).toBe(true);
    }
    expect(await holds('space.title === "Docs" && space.editMode === "locked"')).toBe(true);
    const named = rules({ rule: 'require_specific_reviewers', users: [reviewer.id] });
    const facts = { reviews: [{ reviewer: reviewer.id, status: 'approved' }] };
    expect((await admin.api.post<Tested>(ofOrganization, { mergeRules: named, facts })).body.allowed).toBe(true);
    expect((await admin.api.post<Tested>(ofOrganization, { mergeRules: named, facts: {} })).body.allowed).toBe(false);
    const inherit = { mergeRules: { type: 'inherit' }, facts: {} };
    expect((await admin.api.post(ofOrganization, inherit)).status).toBe(400);
    expect((await author.api.post(ofOrganization, { mergeRules: named, facts })).status).toBe(403);
    const foreign = await buildOrganization(app.current);
    expect((await foreign.admin.api.post(ofOrganization, { mergeRules: named, facts })).status).toBe(404);
  });
});
