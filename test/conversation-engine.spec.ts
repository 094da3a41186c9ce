import { afterAll, describe, expect, it } from '@jest/globals';
import { ConversationEngine, type IssueText } from '../src/conversations/engine/engine.js';
import { Outbound } from '../src/platform/outbound/outbound.js';

const SETTINGS = { sentenceModel: true, conversationsLlm: false, embeddingsUrl: undefined, embeddingsApiKey: undefined, embeddingsModel: undefined, llmUrl: undefined, llmApiKey: undefined, llmModel: undefined };
const engine = new ConversationEngine(SETTINGS, new Outbound({ outboundAllow: [] }));
afterAll(() => engine.onApplicationShutdown());

const TOPICS = {
  password: ['How do I reset my password?', 'The password reset link has expired', 'I forgot my password and cannot log in', 'Reset password e-mail never arrives', 'My password reset does not work'],
  invoice: ['Where can I download my invoice?', 'The invoice for March is missing', 'I need an invoice with our VAT number', 'Can you send the invoice again?', 'Download of the invoice fails'],
  export: ['How can I export my pages to PDF?', 'PDF export is stuck', 'The exported PDF has no images', 'Export of a space as PDF is empty', 'PDF export takes very long'],
};
const issuesOf = (topics: Readonly<Record<string, readonly string[]>>): IssueText[] =>
  Object.entries(topics).flatMap(([topic, texts]) => texts.map((text, index) => ({ id: `${topic}${index}`, text })));

describe('the engine of conversations', () => {
  it('derives and clusters in its thread', async () => {
    const [issues] = await engine.derive([{ messages: [{ role: 'customer', text: 'Hi, how do I reset my password? Thanks' }] }]);
    expect(issues).toEqual([{ title: 'How do I reset my password?', summary: 'How do I reset my password?', text: 'how do I reset my password?', language: 'en' }]);
    const { clusters, modelWith } = await engine.rebuild(issuesOf(TOPICS), []);
    expect(clusters.flatMap(({ title }) => title)).toContain('Password');
    const model = modelWith(clusters.map(({ title }) => title));
    expect(await engine.assign(model, [{ id: 'x', text: 'cannot reset password' }])).toEqual(['Password']);
  });
});
