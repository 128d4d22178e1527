import { Button, Group, Progress, Stack, Text } from '@mantine/core'
import type { MappingRun } from '../../api/types.ts'
import { useTexts } from '../../texts/texts.ts'
import { Icon } from '../../ui/icons.tsx'
import { Fact, Facts, Section } from '../../ui/page.tsx'
import { Time } from '../../ui/time.tsx'
import { useMayWrite } from '../session.tsx'
import { modeText } from './differences.ts'
import type { MappingDocument } from './document.ts'
import { Extended, FromProduct, Inherited } from './of-product.tsx'
import type { MappingState } from './place.tsx'
import { usePlace } from './place.tsx'
import { RemoveMapping } from './remove.tsx'
import { RoleLink } from './rule-line.tsx'
import { Attributes, Rules } from './rule-lists.tsx'

interface InEffectProps {
  readonly state: MappingState & { readonly mapping: MappingDocument }
  readonly edit: () => void
  /** Begins a mapping of the directory: on top of that of its product, or with a copy of it. */
  readonly own: (way: 'extend' | 'copy') => void
}

/** The mapping in effect, and its last run. */
export function InEffect({ state, edit, own }: InEffectProps) {
  const texts = useTexts()
  const mayWrite = useMayWrite()
  const { mapping, inherited, version, run } = state
  const { directory } = usePlace()
  return (
    <>
      {inherited ? <Inherited own={own} /> : null}
      {mapping.extends === undefined ? null : <Extended />}
      <Section
        title={texts.roles.inEffect}
        actions={
          mayWrite && !inherited ? (
            <>
              <Button size="xs" leftSection={<Icon name="change" />} onClick={edit}>
                {texts.roles.edit}
              </Button>
              <RemoveMapping />
            </>
          ) : null
        }
      >
        <Stack gap="lg">
          {mayWrite ? null : <Text size="sm">{texts.shell.onlyReads}</Text>}
          <Settings mapping={mapping} version={inherited ? undefined : version} />
          {directory === undefined ? (
            <Text size="sm" c="dimmed">
              {texts.roles.run.ofProduct}
            </Text>
          ) : (
            <Run run={run} />
          )}
          <Rules mapping={mapping} />
          <Attributes mapping={mapping} />
        </Stack>
      </Section>
      {mapping.extends === undefined ? null : <FromProduct extension={mapping} />}
    </>
  )
}

function Settings({ mapping, version }: { readonly mapping: MappingDocument; readonly version: number | undefined }) {
  const texts = useTexts()
  const { mode, default: defaults, keep_at_least: kept = {} } = mapping.roles ?? {}
  const isExtension = mapping.extends !== undefined
  return (
    <Facts>
      {version === undefined ? null : <Fact name={texts.roles.version}>{version}</Fact>}
      <Fact name={texts.roles.mode}>
        {isExtension && mode === undefined ? texts.roles.asProduct : modeText(mode ?? 'all', texts.roles)}
      </Fact>
      <Fact name={texts.roles.default}>
        {isExtension && defaults === undefined ? texts.roles.asProduct : <RoleLinks roles={defaults ?? []} />}
      </Fact>
      {Object.entries(kept).map(([role, users]) => (
        <Fact key={role} name={texts.roles.keepOf(role)}>
          {users.toLocaleString(texts.language)}
        </Fact>
      ))}
    </Facts>
  )
}

function RoleLinks({ roles }: { readonly roles: readonly string[] }) {
  if (roles.length === 0) return '–'
  return roles.map((role, index) => (
    <span key={role}>
      {index === 0 ? '' : ', '}
      <RoleLink role={role} />
    </span>
  ))
}

/** The last run over the users of the directory, while it is running and afterwards. */
function Run({ run }: { readonly run: MappingRun | null }) {
  const texts = useTexts()
  if (run === null) {
    return (
      <Text size="sm" c="dimmed">
        {texts.roles.run.none}
      </Text>
    )
  }
  const { state, evaluated, total, changed, started_at: startedAt, completed_at: completedAt } = run
  const isRunning = state === 'running'
  const done = total === 0 ? 0 : Math.round((100 * evaluated) / total)
  return (
    <div className="run">
      <Group gap="xs">
        <Text size="sm" fw={550} role="status">
          {isRunning ? texts.roles.run.running : texts.roles.run.title}
        </Text>
        <Text size="sm">{texts.roles.run.progress(evaluated, total, changed)}</Text>
        <Text size="sm" c="dimmed" component="span">
          <Time at={isRunning ? startedAt : completedAt} />
        </Text>
      </Group>
      {isRunning ? <Progress value={done} mt={6} aria-label={texts.roles.run.label} /> : null}
    </div>
  )
}
