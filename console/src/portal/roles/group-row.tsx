import { Alert, Button, Group, Loader, NativeSelect, Stack, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { Icon } from '../../ui/icons.tsx'
import { isolated } from '../../ui/isolated.ts'
import { Name } from '../../ui/name.tsx'
import { useTexts } from '../texts/use-texts.tsx'
import type { PortalGroup, RolePreview, RolesRun } from './api.ts'
import { giveRole, previewRole } from './api.ts'
import { RunProgress } from './run-progress.tsx'

interface GroupRowProps {
  readonly group: PortalGroup
  readonly roles: readonly string[]
  readonly product: string
  /** The run that its role has begun. */
  readonly run: RolesRun['run']
  readonly onGiven: (groupId: string, run: RolesRun) => void
}

/** A group with the choice of its role. A choice is applied after its preview only. */
export function GroupRow({ group, roles, product, run, onGiven }: GroupRowProps) {
  const { texts } = useTexts()
  const select = useRef<HTMLSelectElement>(null)
  const [chosen, setChosen] = useState<string>()
  const present = group.role ?? ''
  const isChanged = chosen !== undefined && chosen !== present
  const close = () => {
    setChosen(undefined)
    select.current?.focus()
  }
  return (
    <li>
      <div className="portal-group">
        <div>
          <Text size="sm" fw={600}>
            <Name>{group.name}</Name>
          </Text>
          <Text size="sm" c="dimmed">
            {texts.roles.members(group.members)}
          </Text>
        </div>
        {group.can_change ? (
          <NativeSelect
            ref={select}
            size="sm"
            aria-label={texts.roles.roleOf(isolated(group.name))}
            data={[{ value: '', label: texts.roles.none }, ...roles]}
            value={chosen ?? present}
            onChange={(event) => setChosen(event.currentTarget.value)}
          />
        ) : (
          <Text size="sm">{group.role === null ? texts.roles.none : <Name>{group.role}</Name>}</Text>
        )}
      </div>
      {group.can_change ? null : (
        <Text size="sm" c="dimmed">
          {texts.roles.fixed(product)}
        </Text>
      )}
      {isChanged ? (
        <Choice group={group} role={chosen === '' ? null : chosen} product={product} onGiven={onGiven} close={close} />
      ) : null}
      <RunProgress run={run} />
    </li>
  )
}

/** How long a choice must stay before it is previewed, in milliseconds: the arrow keys pass others. */
const choosingMs = 250

interface ChoiceProps extends Omit<GroupRowProps, 'roles' | 'run'> {
  readonly role: string | null
  readonly close: () => void
}

/** Previews a choice, with the button that applies it. */
function Choice({ group, role, product, onGiven, close }: ChoiceProps) {
  const { texts } = useTexts()
  const client = useQueryClient()
  const [settled] = useDebouncedValue(role, choosingMs)
  const preview = useQuery({
    queryKey: ['role-preview', group.id, settled],
    queryFn: () => previewRole(group.id, settled),
    gcTime: 0,
  })
  const give = useMutation({
    mutationFn: () => giveRole(group.id, role),
    async onSuccess(run) {
      onGiven(group.id, run)
      await client.invalidateQueries({ queryKey: ['groups'] })
      void client.invalidateQueries({ queryKey: ['role-preview'] })
      close()
    },
  })
  const isReady = preview.data !== undefined && settled === role
  return (
    <div className="portal-role-preview">
      <Stack gap="xs" role="status">
        <Text size="sm" fw={600}>
          {texts.roles.preview}
        </Text>
        {isReady ? <Preview preview={preview.data} group={group} role={role} product={product} /> : null}
        {isReady || preview.error !== null ? null : <Loader size="xs" aria-label={texts.loading} />}
      </Stack>
      {[preview.error, give.error].map((error) =>
        error === null ? null : (
          <Alert key={error.message} color="red">
            {error.message}
          </Alert>
        ),
      )}
      <Group gap="xs">
        <Button size="xs" loading={give.isPending} disabled={!isReady} onClick={() => give.mutate()}>
          {texts.roles.apply}
        </Button>
        <Button size="xs" variant="default" disabled={give.isPending} onClick={close}>
          {texts.choose.cancel}
        </Button>
      </Group>
    </div>
  )
}

interface PreviewProps extends Pick<GroupRowProps, 'group' | 'product'> {
  readonly preview: RolePreview
  readonly role: string | null
}

/** A preview in words. */
function Preview({ preview: { roles }, group, role, product }: PreviewProps) {
  const { texts, language } = useTexts()
  const people = ({ count, examples }: RolePreview['roles'][number]['gain']) => {
    const others = count - examples.length
    const listed = [...examples.map(isolated), ...(others > 0 ? [texts.roles.others(others)] : [])]
    return new Intl.ListFormat(language, { type: 'conjunction' }).format(listed)
  }
  if (roles.length === 0) {
    const isEmpty = group.members === 0 && role !== null
    return <Text size="sm">{isEmpty ? texts.roles.nobodyInGroup : texts.roles.nobodyChanges}</Text>
  }
  return roles.map(({ role: name, gain, lose, too_few }) => (
    <Stack key={name} gap={4}>
      {gain.count === 0 ? null : <Text size="sm">{texts.roles.gain(gain.count, isolated(name), people(gain))}</Text>}
      {lose.count === 0 ? null : <Text size="sm">{texts.roles.lose(lose.count, isolated(name), people(lose))}</Text>}
      {too_few ? (
        <Alert color="yellow" icon={<Icon name="warning" size={18} />}>
          {texts.roles.tooFew(isolated(name), product)}
        </Alert>
      ) : null}
    </Stack>
  ))
}
