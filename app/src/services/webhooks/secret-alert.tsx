import { Alert } from '@mantine/core';
import { texts } from '../../texts/en.js';
import { serviceTexts } from '../../texts/services.js';
import { CopyField } from '../../ui/buttons.js';

const words = serviceTexts.webhooks;

type SecretAlertProps = Readonly<{ secret: string; onClose: () => void }>;

/** A new secret, which is shown once. */
export function SecretAlert({ secret, onClose }: SecretAlertProps) {
  return (
    <Alert
      color="green"
      title={words.secretTitle}
      withCloseButton
      closeButtonLabel={texts.common.close}
      {...{ onClose }}
    >
      <CopyField label={words.secret} value={secret} />
    </Alert>
  );
}
