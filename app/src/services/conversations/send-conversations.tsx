import { FileInput } from '@mantine/core';
import { useState } from 'react';
import { ApiError, send } from '../../api/client.js';
import { conversationTexts } from '../../texts/conversations.js';
import { changing, FormDialog, TextField, useFieldFaults, useText } from '../../ui/forms.js';
import { Note } from '../../ui/screens.js';
import { faultText, showDone } from '../../ui/toasts.js';
import { useUntilLeft } from '../until-left.js';
import { batchesInFile } from './batches-in-file.js';
import type { Batch } from './file-batches.js';
import { CONVERSATIONS, conversationsKey } from './queries.js';

const words = conversationTexts.upload;
const SOURCE = /^(?:email|integration:[^:]+:[^:]+)$/;
const FIRST_SOURCE = 'integration:file:default';
const MOST_BYTES = 100_000_000;
const TOO_LARGE = 413;

type SendConversationsProps = Readonly<{ organizationId: string; onClose: () => void }>;

/** Asks for a file with conversations, and sends them part by part. */
export function SendConversations({ organizationId, onClose }: SendConversationsProps) {
  const source = useText(FIRST_SOURCE);
  const [file, setFile] = useState<File | null>(null);
  const [progress, setProgress] = useState<readonly [sent: number, all: number]>();
  const { at, noting } = useFieldFaults();
  const untilLeft = useUntilLeft();
  const name = source.value.trim();
  const isSource = SOURCE.test(name);
  const sendAll = async (whole: File, signal: AbortSignal): Promise<void> => {
    if (whole.size > MOST_BYTES) throw new Error(words.tooLarge);
    let sent = 0;
    for await (const { batch, all } of batchesInFile(whole, signal)) {
      signal.throwIfAborted();
      setProgress([batch.first, all]);
      await sendBatch(organizationId, name, batch, signal);
      sent = batch.first + batch.conversations.length;
    }
    if (sent === 0) throw new Error(words.empty);
    showDone(words.sent(sent));
  };
  const begin = async (): Promise<void> => {
    // Who closes the dialog wants the rest of the file not to be sent.
    if (file) await untilLeft((signal) => sendAll(file, signal));
  };
  return (
    <FormDialog
      title={words.title}
      text={words.text}
      action={words.action}
      disabled={!file || !isSource}
      onSubmit={noting(changing(begin, { refresh: conversationsKey(organizationId) }))}
      onClose={onClose}
    >
      <FileInput
        label={words.file}
        placeholder={words.choose}
        accept=".json,.jsonl,.ndjson,application/json"
        clearable
        clearButtonProps={{ 'aria-label': words.clear }}
        value={file}
        onChange={setFile}
      />
      <TextField
        {...source}
        label={words.source}
        description={words.sourceHelp}
        error={(!isSource && words.sourceFault) || at('source')}
        maxLength={255}
        required
      />
      {progress && <Note role="status">{words.progress(...progress)}</Note>}
    </FormDialog>
  );
}

/** Sends a part of a file; a fault says which conversation it is of, and how many were taken before. */
async function sendBatch(organizationId: string, source: string, batch: Batch, signal: AbortSignal): Promise<void> {
  const { first, conversations } = batch;
  try {
    // The service checks what is in the file.
    await send('post', CONVERSATIONS, { organizationId }, conversations as never, { query: { source }, signal });
  } catch (error) {
    const told = error instanceof ApiError ? faultOf(error, batch) : undefined;
    throw told === undefined ? error : new Error(`${told} ${words.taken(first)}`, { cause: error });
  }
}

/** The words for a fault of a part of a file; none for one that is of a field of the form. */
function faultOf(error: ApiError, { first, conversations }: Batch): string | undefined {
  const [fault] = error.details;
  const [, index, place = ''] = /^(\d+)(?:\.(.*))?$/.exec(fault?.path ?? '') ?? [];
  if (fault && index !== undefined) return words.fault(first + Number(index) + 1, place, fault.message);
  if (error.status === TOO_LARGE && conversations.length === 1) return words.fault(first + 1, '', error.message);
  return first === 0 ? undefined : faultText(error);
}
