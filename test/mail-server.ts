import { createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

/** A mail server as far as a client can tell (RFC 5321); keeps what it is given. */
export class MailServer {
  readonly letters: { to: string; data: string }[] = [];
  private readonly sockets = new Set<Socket>();

  private constructor(private readonly server: Server) {}

  static async start(): Promise<MailServer> {
    const server = createServer();
    const mail = new MailServer(server);
    server.on('connection', (socket) => mail.serve(socket));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return mail;
  }

  get url(): string {
    return `smtp://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** The letters to an address, decoded. */
  lettersTo(email: string) {
    return this.letters
      .filter(({ to }) => to === email)
      .map(({ data }) => {
        const [head = '', ...rest] = data.split('\n\n');
        const headers = new Map(
          head
            .replace(/\n[ \t]+/g, ' ')
            .split('\n')
            .map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]),
        );
        const body = rest.join('\n\n');
        const isQuoted = headers.get('content-transfer-encoding') === 'quoted-printable';
        const bytes = isQuoted
          ? Buffer.from(
              body
                .replace(/=\n/g, '')
                .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
              'latin1',
            )
          : Buffer.from(body, headers.get('content-transfer-encoding') === 'base64' ? 'base64' : 'utf8');
        return { headers, text: bytes.toString('utf8') };
      });
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private serve(socket: Socket): void {
    this.sockets.add(socket);
    socket.on('error', () => undefined);
    let pending = '';
    let to = '';
    let data: string[] | undefined;
    const answer = (line: string) => socket.write(`${line}\r\n`);
    const take = (line: string) => {
      if (data) {
        if (line !== '.') return void data.push(line.replace(/^\./, ''));
        this.letters.push({ to, data: data.join('\n') });
        data = undefined;
        return void answer('250 taken');
      }
      const command = line.slice(0, 4).toUpperCase();
      if (command === 'RCPT') to = /<(.*)>/.exec(line)?.[1] ?? '';
      if (command === 'DATA') data = [];
      answer(command === 'DATA' ? '354 go on' : command === 'QUIT' ? '221 bye' : '250 fine');
    };
    socket.on('data', (chunk) => {
      pending += chunk.toString('utf8');
      const lines = pending.split('\r\n');
      pending = lines.pop() ?? '';
      for (const line of lines) take(line);
    });
    answer('220 here');
  }
}
