import { Anchor, Code, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Schemas } from '../../api/client.js';
import { serviceTexts } from '../../texts/services.js';
import { Note, Section } from '../../ui/screens.js';
import { givenTextQuery, latestVersionQuery, type Specification, type SpecificationPlace } from './queries.js';
import { excerptAround, excerptAt, linesOf } from './excerpts.js';

type Fault = Schemas['OpenApiError'] & Partial<Pick<Schemas['OpenApiWarning'], 'instead'>>;

type FaultsProps = Readonly<{ specification: Specification; place: SpecificationPlace }>;

const words = serviceTexts.specifications;

/** The faults of the source of a specification, each with its place and what stands there. */
export function Faults({ specification, place }: FaultsProps) {
  const { lastProcessedErrors: errors = [], lastProcessedErrorCount: errorCount } = specification;
  const { lastProcessedWarnings: warnings = [], lastProcessedWarningCount: warningCount = 0 } = specification;
  const { data: text } = useQuery(givenTextQuery(place));
  const { data: version } = useQuery({
    ...latestVersionQuery(place, specification.lastVersion ?? ''),
    enabled: specification.lastVersion !== undefined && warnings.length > 0,
  });
  // Once for all faults: a text may have 20 MB.
  const lines = useMemo(() => linesOf(text ?? ''), [text]);
  const inText = ({ line, document }: Fault) =>
    typeof text === 'string' && document === undefined ? excerptAround(lines, line) : undefined;
  return (
    <>
      {specification.lastProcessErrorCode !== undefined && (
        <Section title={words.faults(errorCount)}>
          <Text>{words.codes[specification.lastProcessErrorCode]}</Text>
          {specification.lastVersion !== undefined && <Note>{words.lastGood}</Note>}
          <FaultList faults={errors} count={errorCount} excerptOf={inText} />
        </Section>
      )}
      {warnings.length > 0 && (
        <Section title={words.accepted(warningCount)}>
          <Note>{words.acceptedText}</Note>
          <FaultList
            faults={warnings}
            count={warningCount}
            excerptOf={(fault) => inText(fault) ?? excerptAt(version, fault.pointer)}
          />
        </Section>
      )}
    </>
  );
}

interface FaultListProps {
  readonly faults: readonly Fault[];
  readonly count: number;
  readonly excerptOf: (fault: Fault) => string | undefined;
}

function FaultList({ faults, count, excerptOf }: FaultListProps) {
  return (
    <Stack component="ul" gap="md" m={0} p={0} style={{ listStyle: 'none' }}>
      {faults.map((fault, index) => {
        const excerpt = excerptOf(fault);
        return (
          <li key={`${index} ${fault.message}`}>
            <Text className="plain-text">
              <bdi>{fault.message}</bdi>
            </Text>
            {fault.instead !== undefined && <Note className="plain-text">{fault.instead}</Note>}
            <Note className="plain-text">
              <bdi>
                {[fault.line !== undefined && words.line(fault.line), fault.pointer].filter(Boolean).join(' · ')}
              </bdi>{' '}
              {fault.document !== undefined && <Anchor href={fault.document}>{fault.document}</Anchor>}
            </Note>
            {excerpt !== undefined && (
              <Code block tabIndex={0} dir="ltr" aria-label={words.excerpt}>
                {excerpt}
              </Code>
            )}
          </li>
        );
      })}
      {count > faults.length && (
        <li>
          <Note>{words.moreFaults(count - faults.length)}</Note>
        </li>
      )}
    </Stack>
  );
}
