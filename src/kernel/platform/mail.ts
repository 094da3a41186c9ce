import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Transporter } from 'nodemailer';
import { CONFIG, type Config } from './config/config.js';

const TIMEOUT_MS = 20_000;

/** A plain text message to one address. */
export interface Letter {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** The same for two sendings of one message, so that programs show it once. */
  readonly messageId?: string;
  /** Where the person can end such messages, by one request without a login (RFC 8058). */
  readonly unsubscribe?: string;
}

/** Sends mail through the server of SMTP_URL. Messages are sent by jobs, never by requests. */
@Injectable()
export class Mail implements OnApplicationShutdown {
  private transport: Promise<Transporter> | undefined;

  constructor(@Inject(CONFIG) private readonly config: Pick<Config, 'smtpUrl' | 'mailFrom'>) {}

  /** False without SMTP_URL: then no mail is sent, and links are shown to administrators instead. */
  get configured(): boolean {
    return this.config.smtpUrl !== undefined;
  }

  /** Sends a message to the mail server; throws if the server does not accept it. */
  async send({ to, subject, text, messageId, unsubscribe }: Letter): Promise<void> {
    const { smtpUrl, mailFrom } = this.config;
    if (smtpUrl === undefined || mailFrom === undefined) throw new Error('mail needs SMTP_URL and MAIL_FROM');
    await (
      await this.connection(smtpUrl)
    ).sendMail({
      from: mailFrom,
      to: { name: '', address: to },
      subject,
      text,
      ...(messageId !== undefined && { messageId }),
      ...(unsubscribe !== undefined && {
        headers: {
          'List-Unsubscribe': { prepared: true, value: `<${unsubscribe}>` },
          'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
        },
      }),
    });
  }

  /** Connects to the mail server and logs in; throws if that does not succeed. */
  async verify(): Promise<void> {
    if (this.config.smtpUrl !== undefined) await (await this.connection(this.config.smtpUrl)).verify();
  }

  private connection(url: string): Promise<Transporter> {
    return (this.transport ??= connect(url));
  }

  async onApplicationShutdown(): Promise<void> {
    (await this.transport)?.close();
  }
}

/** Loaded with the first message: most installations have no mail server. */
async function connect(url: string): Promise<Transporter> {
  const { createTransport } = await import('nodemailer');
  return createTransport({
    url,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
  } as Parameters<typeof createTransport>[0]);
}
