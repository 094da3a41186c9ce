import { Badge, List, Modal, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { memberTexts } from '../../texts/members.js';
import { Loaded } from '../../ui/screens.js';
import { permissionName, roleName } from '../role-select.js';
import { accessKey, explain, type Explanation, type Governed } from './queries.js';

const words = memberTexts.access;

interface WhyProps {
  readonly thing: Governed;
  readonly person: Readonly<{ id: string; name: string }>;
  readonly onClose: () => void;
}

/** The rules by which a person has a role, in order of precedence, with the one that decides. */
export function Why({ thing, person, onClose }: WhyProps) {
  const explanation = useQuery({
    queryKey: [...accessKey(thing), 'why', person.id],
    queryFn: () => explain(thing, person.id),
  });
  return (
    <Modal opened onClose={onClose} title={words.whyTitle(person.name)} size="lg">
      <Loaded query={explanation}>
        {({ permission, reasons, additionalPermissions = [] }) => (
          <Stack>
            <Text>{words.result(person.name, permissionName(permission))}</Text>
            <List type="ordered" spacing="xs">
              {reasons.map((reason, index) => (
                <List.Item key={index} fw={reason.decides ? 600 : undefined}>
                  {ruleText(reason)} {reason.decides && <Badge>{words.decides}</Badge>}
                </List.Item>
              ))}
            </List>
            {additionalPermissions.length > 0 && <Text>{words.added(additionalPermissions.join(', '))}</Text>}
          </Stack>
        )}
      </Loaded>
    </Modal>
  );
}

function ruleText({ rule, permission, on, team }: Explanation['reasons'][number]): string {
  const place = on.title ?? words.unseen[on.type];
  const role = rule === 'membership' ? roleName(permission) : permissionName(permission);
  return words.rules[rule](role, place, team?.title ?? words.unseen.team);
}
