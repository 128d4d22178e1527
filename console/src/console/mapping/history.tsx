import { Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import { useData } from '../../api/queries.ts'
import { useTexts } from '../../texts/texts.ts'
import { Icon } from '../../ui/icons.tsx'
import { isolated } from '../../ui/isolated.ts'
import { Section } from '../../ui/page.tsx'
import { Empty, Loaded } from '../../ui/states.tsx'
import { Status } from '../../ui/status.tsx'
import { Time } from '../../ui/time.tsx'
import { useMayWrite, useSession } from '../session.tsx'
import { DifferenceList } from './difference-list.tsx'
import type { MappingState, MappingVersion } from './place.tsx'
import { usePlace } from './place.tsx'

interface HistoryProps {
  readonly inEffect: MappingState
  readonly restore: (version: MappingVersion) => void
}

/** The versions, once they are asked for: they may be long. */
export function History({ inEffect, restore }: HistoryProps) {
  const texts = useTexts()
  const { kind } = useSession()
  const [isShown, setShown] = useState(false)
  return (
    <Section
      title={texts.roles.history}
      description={texts.roles.historyText}
      actions={
        <Group gap="md">
          {kind === 'admin' ? <Link to="/audit">{texts.roles.audit}</Link> : null}
          <Button size="xs" variant="default" aria-expanded={isShown} onClick={() => setShown(!isShown)}>
            {isShown ? texts.roles.hideHistory : texts.roles.showHistory}
          </Button>
        </Group>
      }
    >
      {isShown ? <Versions inEffect={inEffect} restore={restore} /> : null}
    </Section>
  )
}

function Versions({ inEffect, restore }: HistoryProps) {
  const texts = useTexts()
  const { path, query } = usePlace()
  const versions = useData<readonly MappingVersion[]>(`${path}/versions`, query)
  return (
    <Loaded query={versions}>
      {(found) =>
        found.length === 0 ? (
          <Empty icon="clock" title={texts.roles.noHistory} />
        ) : (
          <ol className="versions" aria-label={texts.roles.history}>
            {found.map((one, index) => (
              <Version
                key={one.version}
                one={one}
                before={found[index + 1]}
                isInEffect={!inEffect.inherited && one.version === inEffect.version}
                restore={restore}
              />
            ))}
          </ol>
        )
      }
    </Loaded>
  )
}

interface VersionProps {
  readonly one: MappingVersion
  readonly before: MappingVersion | undefined
  readonly isInEffect: boolean
  readonly restore: (version: MappingVersion) => void
}

function Version({ one, before, isInEffect, restore }: VersionProps) {
  const texts = useTexts()
  const mayWrite = useMayWrite()
  const { version, mapping, created_at: at, created_by: by } = one
  return (
    <li>
      <div className="version-head">
        <strong>
          {texts.roles.version} {version}
        </strong>
        {isInEffect ? <Status tone="good" icon="check" text={texts.roles.present} /> : null}
        {mapping === null ? <Status tone="neutral" icon="trash" text={texts.roles.removed} /> : null}
        <Text size="sm" c="dimmed" component="span">
          <Time at={at} /> · {isolated(by ?? texts.audit.unknown)}
        </Text>
        {mayWrite && mapping !== null && !isInEffect ? (
          <Button
            size="compact-xs"
            variant="default"
            leftSection={<Icon name="replay" size={13} />}
            aria-label={`${texts.roles.restore}: ${version}`}
            onClick={() => restore(one)}
          >
            {texts.roles.restore}
          </Button>
        ) : null}
      </div>
      {before === undefined && version > 1 ? null : <DifferenceList before={before?.mapping ?? null} after={mapping} />}
    </li>
  )
}
