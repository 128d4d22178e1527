import { Alert, Button, CopyButton, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { loadPart } from '../api/loading.ts'
import { Icon } from '../ui/icons.tsx'
import type { PortalDirectory, PortalState } from './api.ts'
import type { Guide } from './guide.ts'
import { endpointFor } from './guide.ts'
import { labelIn } from './labels.ts'
import { useTexts } from './texts/use-texts.tsx'

/** Dialogs are a tenth of the script; this one is not needed at first. */
const RotationDialog = lazy(async () => ({ default: (await loadPart(() => import('./rotation.tsx'))).RotationDialog }))

interface ValuesProps {
  readonly guide: Guide
  readonly directory: PortalDirectory
  /** The secret, if it was made in this tab and is not stored elsewhere yet. */
  readonly secret: string | null
  readonly onChange: (after: PortalState) => void
  /** Called when the secret is stored elsewhere. */
  readonly onStored: () => void
}

/** The address and the secret to enter at the identity provider. */
export function Values({ guide, directory, secret, onChange, onStored }: ValuesProps) {
  const { texts } = useTexts()
  const [isAsking, setAsking] = useState(false)
  const endpoint = endpointFor(guide.endpoint ?? 'endpoint', directory.scim_endpoint ?? '')
  const endpointLabel = guide.endpoint === undefined ? texts.values.endpoint : labelIn(guide, 'Tenant URL', texts)
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="values">
      <Title order={3} id="values" mb="sm">
        {texts.values.heading}
      </Title>
      <Stack gap="sm">
        <CopyValue label={endpointLabel} value={endpoint} />
        {secret === null ? (
          <Text size="sm">{texts.values.hidden(directory.secret_ending ?? '')}</Text>
        ) : (
          <>
            <CopyValue label={texts.values.secret} value={secret} />
            <Alert color="yellow" py="xs" icon={<Icon name="warning" size={18} />}>
              {texts.values.shownOnce}
            </Alert>
          </>
        )}
        <Group gap="xs">
          {secret === null ? null : (
            <Button size="xs" leftSection={<Icon name="check" />} onClick={onStored}>
              {texts.values.done}
            </Button>
          )}
          <Button variant="default" size="xs" leftSection={<Icon name="refresh" />} onClick={() => setAsking(true)}>
            {texts.values.rotate}
          </Button>
        </Group>
        {isAsking ? (
          <Suspense>
            <RotationDialog onChange={onChange} onClose={() => setAsking(false)} />
          </Suspense>
        ) : null}
      </Stack>
    </Paper>
  )
}

/** A value with a button that copies it. */
export function CopyValue({ label, value }: { readonly label: string; readonly value: string }) {
  const { texts } = useTexts()
  return (
    <div>
      <Text size="sm" fw={600} mb={4}>
        {label}
      </Text>
      <Group gap="xs" wrap="nowrap">
        <code className="portal-value">{value}</code>
        <CopyButton value={value}>
          {({ copied, copy }) => (
            <Button
              size="xs"
              variant="light"
              className="portal-copy"
              onClick={copy}
              aria-label={texts.copy(label)}
              leftSection={<Icon name={copied ? 'check' : 'copy'} />}
            >
              {copied ? texts.copied : texts.copyShort}
            </Button>
          )}
        </CopyButton>
      </Group>
    </div>
  )
}
