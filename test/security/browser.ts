/** What an address answered; redirects are not followed. */
export interface Opened {
  readonly status: number;
  readonly text: string;
  readonly location: string | null;
  readonly headers: Headers;
}

/** A browser as far as logins need one: it keeps cookies of one service, and follows nothing by itself. */
export class Browser {
  readonly cookies = new Map<string, string>();

  async open(address: string, init: RequestInit = {}): Promise<Opened> {
    const cookies = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(address, {
      ...init,
      redirect: 'manual',
      headers: { ...init.headers, ...(cookies !== '' && { Cookie: cookies }) },
    });
    for (const each of answer.headers.getSetCookie()) {
      const [name = '', value = ''] = (each.split(';', 1)[0] ?? '').split('=');
      this.cookies.set(name, value);
    }
    return {
      status: answer.status,
      text: await answer.text(),
      location: answer.headers.get('location'),
      headers: answer.headers,
    };
  }

  /** Sends a form as another site lets a browser do: without our cookies, which are not for forms of others. */
  sendForm(address: string, body: string | Buffer): Promise<Opened> {
    return new Browser().open(address, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: body as string,
    });
  }
}
