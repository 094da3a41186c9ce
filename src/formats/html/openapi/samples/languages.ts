import { compiledLanguages, type SampleLanguage } from './compiled-languages.js';
import { doubleQuoted, heredoc, indentedBy, pythonValue, shellQuoted, singleQuoted } from './literals.js';
import type { SampleBody, SampleRequest } from './sample-request.js';

type Form = Extract<SampleBody, { kind: 'form' }>;

/** The languages of samples, in the order in which they are shown. */
export const SAMPLE_LANGUAGES: readonly SampleLanguage[] = [
  { id: 'shell', title: 'curl', syntax: 'sh', write: curl },
  { id: 'javascript', title: 'JavaScript', syntax: 'js', write: (request) => javaScript(request, browserForm) },
  { id: 'node', title: 'Node.js', syntax: 'js', write: (request) => javaScript(request, nodeForm) },
  { id: 'python', title: 'Python', syntax: 'python', write: python },
  ...compiledLanguages,
  { id: 'php', title: 'PHP', syntax: 'php', write: php },
  { id: 'ruby', title: 'Ruby', syntax: 'ruby', write: ruby },
];

export function curl({ method, url, headers, body }: SampleRequest): string {
  // An address that is an option, and brackets, would mean something to curl.
  const address = `${/[[\]]/.test(url) ? '-g ' : ''}${url.startsWith('-') ? '--url ' : ''}${shellQuoted(url)}`;
  const parts = body?.kind === 'form' ? body.parts : [];
  return [
    `curl -X ${method} ${address}`,
    ...headers.map(([name, value]) => `-H ${shellQuoted(`${name}: ${value}`)}`),
    // A text that begins with @ would be the name of a file otherwise.
    ...(body?.kind === 'text' ? [`${body.text.startsWith('@') ? '--data-raw' : '-d'} ${shellQuoted(body.text)}`] : []),
    ...parts.map(({ name, value, isFile }) =>
      isFile ? `-F ${shellQuoted(`${name}=@${value}`)}` : `--form-string ${shellQuoted(`${name}=${value}`)}`,
    ),
  ].join(' \\\n  ');
}

function javaScript({ method, url, headers, body }: SampleRequest, form: (form: Form) => string[]): string {
  const options = [
    `method: ${doubleQuoted(method)},`,
    ...(headers.length > 0
      ? ['headers: {', ...headers.map(([name, value]) => `  ${doubleQuoted(name)}: ${doubleQuoted(value)},`), '},']
      : []),
    ...(body ? [`body: ${body.kind === 'form' ? 'form' : scriptBody(body)},`] : []),
  ];
  return [
    ...(body?.kind === 'form' ? [...form(body), ''] : []),
    `const response = await fetch(${doubleQuoted(url)}, {`,
    ...options.map((line) => `  ${indentedBy(line, '  ')}`),
    '});',
    'console.log(response.status, await response.text());',
  ].join('\n');
}

/** JSON is an expression of JavaScript, except for the name that sets a prototype. */
const scriptBody = ({ text, isData }: Extract<SampleBody, { kind: 'text' }>): string =>
  isData && !text.includes('"__proto__"') ? `JSON.stringify(${text})` : doubleQuoted(text);

const browserForm = ({ parts }: Form): string[] => [
  'const form = new FormData();',
  ...parts.map(({ name, value, isFile }) =>
    isFile
      ? `form.append(${doubleQuoted(name)}, document.querySelector("input[type=file]").files[0]);`
      : `form.append(${doubleQuoted(name)}, ${doubleQuoted(value)});`,
  ),
];

const nodeForm = ({ parts }: Form): string[] => [
  ...(parts.some(({ isFile }) => isFile) ? ['import { openAsBlob } from "node:fs";', ''] : []),
  'const form = new FormData();',
  ...parts.map(({ name, value, isFile }) =>
    isFile
      ? `form.append(${doubleQuoted(name)}, await openAsBlob(${doubleQuoted(value)}), ${doubleQuoted(value)});`
      : `form.append(${doubleQuoted(name)}, ${doubleQuoted(value)});`,
  ),
];

function python({ method, url, headers, body }: SampleRequest): string {
  const values =
    headers.length === 0
      ? []
      : [
          `headers={\n${headers.map(([name, value]) => `    ${doubleQuoted(name)}: ${doubleQuoted(value)},\n`).join('')}},`,
        ];
  return [
    'import requests',
    '',
    'response = requests.request(',
    ...[`${doubleQuoted(method)},`, `${doubleQuoted(url)},`, ...values, ...(body ? pythonBody(body) : [])].map(
      (line) => `    ${indentedBy(line, '    ')}`,
    ),
    ')',
    'print(response.status_code, response.text)',
  ].join('\n');
}

function pythonBody(body: SampleBody): string[] {
  if (body.kind === 'text')
    return [body.isData ? `json=${pythonValue(body.text)},` : `data=${doubleQuoted(body.text)}.encode(),`];
  const parts = body.parts.map(({ name, value, isFile }) =>
    isFile
      ? `    (${doubleQuoted(name)}, open(${doubleQuoted(value)}, "rb")),\n`
      : `    (${doubleQuoted(name)}, (None, ${doubleQuoted(value)})),\n`,
  );
  return [`files=[\n${parts.join('')}],`];
}

function php({ method, url, headers, body }: SampleRequest): string {
  const parts = (body?.kind === 'form' ? body.parts : []).map(
    ({ name, value, isFile }) =>
      `    ${singleQuoted(name)} => ${isFile ? `new CURLFile(${singleQuoted(value)})` : singleQuoted(value)},\n`,
  );
  const fields =
    body?.kind === 'form'
      ? `[\n${parts.join('')}  ]`
      : body && (body.isData ? heredoc('<<<', body.text) : singleQuoted(body.text));
  return [
    '<?php',
    `$request = curl_init(${singleQuoted(url)});`,
    'curl_setopt_array($request, [',
    `  CURLOPT_CUSTOMREQUEST => ${singleQuoted(method)},`,
    '  CURLOPT_RETURNTRANSFER => true,',
    ...(headers.length > 0
      ? [
          '  CURLOPT_HTTPHEADER => [',
          ...headers.map(([name, value]) => `    ${singleQuoted(`${name}: ${value}`)},`),
          '  ],',
        ]
      : []),
    ...(fields === undefined ? [] : [`  CURLOPT_POSTFIELDS => ${fields},`]),
    ']);',
    'echo curl_exec($request);',
  ].join('\n');
}

function ruby({ method, url, headers, body }: SampleRequest): string {
  const content =
    body?.kind === 'form'
      ? [
          'request.set_form([',
          ...body.parts.map(
            ({ name, value, isFile }) =>
              `  [${singleQuoted(name)}, ${isFile ? `File.open(${singleQuoted(value)})` : singleQuoted(value)}],`,
          ),
          '], "multipart/form-data")',
        ]
      : body
        ? [`request.body = ${body.isData ? heredoc('<<~', body.text) : singleQuoted(body.text)}`]
        : [];
  return [
    'require "net/http"',
    '',
    `uri = URI(${singleQuoted(url)})`,
    `request = Net::HTTPGenericRequest.new(${singleQuoted(method)}, ${String(body !== undefined)}, true, uri)`,
    ...headers.map(([name, value]) => `request[${singleQuoted(name)}] = ${singleQuoted(value)}`),
    ...content,
    'response = Net::HTTP.start(uri.host, uri.port, use_ssl: uri.scheme == "https") { |http| http.request(request) }',
    'puts response.code, response.body',
  ].join('\n');
}
