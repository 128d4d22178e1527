import { Alert, Button, Group, Stack } from '@mantine/core'
import { useState } from 'react'
import { useData } from '../../api/queries.ts'
import { useTexts } from '../../texts/texts.ts'
import { Icon } from '../../ui/icons.tsx'
import { isolated } from '../../ui/isolated.ts'
import { Section } from '../../ui/page.tsx'
import { DifferenceList } from './difference-list.tsx'
import type { MappingDocument } from './document.ts'
import type { MappingState, MappingVersion } from './place.tsx'
import { usePlace } from './place.tsx'

interface ConflictProps {
  readonly inEffect: MappingState
  readonly document: MappingDocument | undefined
  readonly takeTheirs: () => void
  readonly keepMine: () => void
}

/** Says who has changed the mapping since the draft was begun, what differs, and what can be done. */
export function Conflict({ inEffect, document, takeTheirs, keepMine }: ConflictProps) {
  const texts = useTexts()
  const { path, query } = usePlace()
  const [isLooking, setLooking] = useState(false)
  const versions = useData<readonly MappingVersion[]>(`${path}/versions`, query, { enabled: !inEffect.inherited })
  const by = versions.data?.find(({ version }) => version === inEffect.version)?.created_by
  return (
    <Stack gap="sm">
      <Alert
        color="yellow"
        icon={<Icon name="warning" size={20} />}
        title={texts.roles.conflict(inEffect.version)}
        role="alert"
      >
        <p className="alert-text">
          {by ? `${texts.roles.conflictBy(isolated(by))} ` : ''}
          {texts.roles.conflictText}
        </p>
        <Group gap="xs">
          <Button size="xs" variant="default" aria-expanded={isLooking} onClick={() => setLooking(!isLooking)}>
            {texts.roles.theirs}
          </Button>
          <Button size="xs" variant="default" onClick={takeTheirs}>
            {texts.roles.takeTheirs}
          </Button>
          <Button size="xs" variant="default" onClick={keepMine}>
            {texts.roles.keepMine}
          </Button>
        </Group>
      </Alert>
      {isLooking ? (
        <Section title={texts.roles.theirsTitle}>
          <DifferenceList before={inEffect.mapping} after={document ?? null} />
        </Section>
      ) : null}
    </Stack>
  )
}
