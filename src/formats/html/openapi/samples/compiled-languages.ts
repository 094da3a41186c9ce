import { csharpRaw, doubleQuoted, goRaw, indentedBy, javaBlock, rustQuoted, rustRaw } from './literals.js';
import type { SampleBody, SampleRequest } from './sample-request.js';

/** A language of samples with the library that they use: its own one, or the one that most use. */
export interface SampleLanguage {
  readonly id: string;
  readonly title: string;
  /** As highlighters name it. */
  readonly syntax: string;
  /** The code; undefined for a request that takes more than a sample in this language. */
  readonly write: (request: SampleRequest) => string | undefined;
}

/** The languages of samples that are compiled. */
export const compiledLanguages: readonly SampleLanguage[] = [
  { id: 'go', title: 'Go', syntax: 'go', write: go },
  { id: 'java', title: 'Java', syntax: 'java', write: java },
  { id: 'csharp', title: 'C#', syntax: 'csharp', write: csharp },
  { id: 'rust', title: 'Rust', syntax: 'rust', write: rust },
];

type Text = Extract<SampleBody, { kind: 'text' }>;

function go({ method, url, headers, body }: SampleRequest): string {
  const { imports, lines, reader } = goBody(body);
  const contentType = body?.kind === 'form' ? ['request.Header.Set("Content-Type", form.FormDataContentType())'] : [];
  return [
    'package main',
    '',
    'import (',
    ...['fmt', 'io', 'net/http', ...imports].sort().map((name) => `\t"${name}"`),
    ')',
    '',
    'func main() {',
    ...[
      ...lines,
      `request, err := http.NewRequest(${doubleQuoted(method)}, ${doubleQuoted(url)}, ${reader})`,
      'if err != nil {\n\tpanic(err)\n}',
      ...headers.map(([name, value]) => `request.Header.Set(${doubleQuoted(name)}, ${doubleQuoted(value)})`),
      ...contentType,
      'response, err := http.DefaultClient.Do(request)',
      'if err != nil {\n\tpanic(err)\n}',
      'defer response.Body.Close()',
      'answer, _ := io.ReadAll(response.Body)',
      'fmt.Println(response.Status, string(answer))',
    ].map((line) => `\t${line.startsWith('body :=') ? line : indentedBy(line, '\t')}`),
    '}',
  ].join('\n');
}

function goBody(body: SampleBody | undefined): { imports: string[]; lines: string[]; reader: string } {
  if (!body) return { imports: [], lines: [], reader: 'nil' };
  if (body.kind === 'text') {
    const text = body.isData ? goRaw(body.text) : doubleQuoted(body.text);
    return { imports: ['strings'], lines: [`body := strings.NewReader(${text})`], reader: 'body' };
  }
  const parts = body.parts.map(({ name, value, isFile }) =>
    isFile
      ? [
          '{',
          `\tpart, _ := form.CreateFormFile(${doubleQuoted(name)}, ${doubleQuoted(value)})`,
          `\tfile, err := os.Open(${doubleQuoted(value)})`,
          '\tif err != nil {\n\t\tpanic(err)\n\t}',
          '\tio.Copy(part, file)',
          '\tfile.Close()',
          '}',
        ].join('\n')
      : `form.WriteField(${doubleQuoted(name)}, ${doubleQuoted(value)})`,
  );
  const hasFile = body.parts.some(({ isFile }) => isFile);
  return {
    imports: ['bytes', 'mime/multipart', ...(hasFile ? ['os'] : [])],
    lines: ['var content bytes.Buffer', 'form := multipart.NewWriter(&content)', ...parts, 'form.Close()'],
    reader: '&content',
  };
}

/** Java's own client has no forms in parts. */
function java({ method, url, headers, body }: SampleRequest): string | undefined {
  if (body?.kind === 'form') return undefined;
  const publisher = body
    ? `HttpRequest.BodyPublishers.ofString(${textOf(body, javaBlock)})`
    : 'HttpRequest.BodyPublishers.noBody()';
  return [
    'import java.net.URI;',
    'import java.net.http.HttpClient;',
    'import java.net.http.HttpRequest;',
    'import java.net.http.HttpResponse;',
    '',
    'class Sample {',
    '  public static void main(String[] arguments) throws Exception {',
    `    var request = HttpRequest.newBuilder(URI.create(${doubleQuoted(url)}))`,
    ...headers.map(([name, value]) => `      .header(${doubleQuoted(name)}, ${doubleQuoted(value)})`),
    `      .method(${doubleQuoted(method)}, ${publisher})`,
    '      .build();',
    '    var response = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());',
    '    System.out.println(response.statusCode() + " " + response.body());',
    '  }',
    '}',
  ].join('\n');
}

function csharp({ method, url, headers, body }: SampleRequest): string {
  const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1];
  const others = headers.filter(([name]) => name.toLowerCase() !== 'content-type');
  return [
    'using var client = new HttpClient();',
    `using var request = new HttpRequestMessage(new HttpMethod(${doubleQuoted(method)}), ${doubleQuoted(url)});`,
    ...others.map(
      ([name, value]) => `request.Headers.TryAddWithoutValidation(${doubleQuoted(name)}, ${doubleQuoted(value)});`,
    ),
    ...csharpBody(body),
    ...(type !== undefined && body?.kind === 'text'
      ? [
          'request.Content.Headers.Remove("Content-Type");',
          `request.Content.Headers.TryAddWithoutValidation("Content-Type", ${doubleQuoted(type)});`,
        ]
      : []),
    'using var response = await client.SendAsync(request);',
    'Console.WriteLine($"{(int)response.StatusCode} {await response.Content.ReadAsStringAsync()}");',
  ].join('\n');
}

function csharpBody(body: SampleBody | undefined): string[] {
  if (!body) return [];
  if (body.kind === 'text') return [`request.Content = new StringContent(${textOf(body, csharpRaw)});`];
  return [
    'var form = new MultipartFormDataContent();',
    ...body.parts.map(({ name, value, isFile }) =>
      isFile
        ? `form.Add(new StreamContent(File.OpenRead(${doubleQuoted(value)})), ${doubleQuoted(name)}, ${doubleQuoted(value)});`
        : `form.Add(new StringContent(${doubleQuoted(value)}), ${doubleQuoted(name)});`,
    ),
    'request.Content = form;',
  ];
}

function rust({ method, url, headers, body }: SampleRequest): string {
  const form =
    body?.kind === 'form'
      ? [
          '    let form = reqwest::blocking::multipart::Form::new()',
          ...body.parts.map(({ name, value, isFile }) =>
            isFile
              ? `        .file(${rustQuoted(name)}, ${rustQuoted(value)})?`
              : `        .text(${rustQuoted(name)}, ${rustQuoted(value)})`,
          ),
        ].join('\n')
      : undefined;
  const text = body?.kind === 'text' ? (body.isData ? rustRaw(body.text) : rustQuoted(body.text)) : undefined;
  return [
    'fn main() -> Result<(), Box<dyn std::error::Error>> {',
    ...(form === undefined ? [] : [`${form};`]),
    '    let response = reqwest::blocking::Client::new()',
    `        .request(reqwest::Method::from_bytes(b${doubleQuoted(method)})?, ${rustQuoted(url)})`,
    ...headers.map(([name, value]) => `        .header(${rustQuoted(name)}, ${rustQuoted(value)})`),
    ...(form === undefined ? [] : ['        .multipart(form)']),
    ...(text === undefined ? [] : [`        .body(${text})`]),
    '        .send()?;',
    '    println!("{} {}", response.status(), response.text()?);',
    '    Ok(())',
    '}',
  ].join('\n');
}

const textOf = ({ text, isData }: Text, block: (text: string) => string): string =>
  isData ? block(text) : doubleQuoted(text);
