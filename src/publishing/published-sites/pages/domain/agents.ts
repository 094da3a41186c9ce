/** How programs that gather texts for language models, or fetch them for assistants, call themselves in `robots.txt`. */
export const AGENTS: readonly string[] = [
  'AI2Bot', 'Amazonbot', 'Applebot-Extended', 'Bytespider', 'CCBot', 'ChatGPT-User', 'Claude-SearchBot', 'Claude-User', 'ClaudeBot', 'cohere-ai',
  'DuckAssistBot', 'Google-Extended', 'GPTBot', 'Meta-ExternalAgent', 'Meta-ExternalFetcher', 'MistralAI-User', 'OAI-SearchBot', 'Perplexity-User',
  'PerplexityBot', 'YouBot',
];
