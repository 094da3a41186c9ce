/** The text of a web page in the encoding that its `Content-Type`, or a `meta` element at its beginning, names. */
export function decodedHtml(bytes: Buffer, contentType: string): string {
  const named =
    /charset=["']?([\w-]+)/i.exec(contentType)?.[1] ??
    /<meta[^>]+charset=["']?([\w-]+)/i.exec(bytes.toString('latin1', 0, 2048))?.[1] ??
    'utf-8';
  try {
    return new TextDecoder(named).decode(bytes);
  } catch {
    return bytes.toString('utf8');
  }
}
