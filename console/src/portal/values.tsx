import { Alert, Button, CopyButton, Group, Modal, Paper, Radio, Stack, Text, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Icon } from '../ui/icons.tsx'
import type { PortalDirectory, PortalState } from './api.ts'
import { call } from './api.ts'
import { useTexts } from './texts/use-texts.tsx'

const dayInSeconds = 86_400

interface ValuesProps {
  readonly directory: PortalDirectory
  /** The secret, if it was made on this page. */
  readonly secret: string | null
  readonly onChange: (after: PortalState) => void
}

/** The address and the secret to enter at the identity provider. */
export function Values({ directory, secret, onChange }: ValuesProps) {
  const { texts } = useTexts()
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="values">
      <Title order={3} id="values" mb="sm">
        {texts.values.heading}
      </Title>
      <Stack gap="sm">
        <CopyValue label={texts.values.endpoint} value={directory.scim_endpoint ?? ''} />
        {secret === null ? (
          <Text size="sm">{texts.values.hidden}</Text>
        ) : (
          <>
            <CopyValue label={texts.values.secret} value={secret} />
            <Alert color="yellow" py="xs" icon={<Icon name="warning" size={18} />}>
              {texts.values.shownOnce}
            </Alert>
          </>
        )}
        <Rotation onChange={onChange} />
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

function Rotation({ onChange }: Pick<ValuesProps, 'onChange'>) {
  const { texts } = useTexts()
  const [opened, { open, close }] = useDisclosure(false)
  const [grace, setGrace] = useState('keep')
  const rotation = useMutation({
    mutationFn: () =>
      call<PortalState>('POST', '/directory/rotate-secret', { grace_seconds: grace === 'keep' ? dayInSeconds : 0 }),
    onSuccess: (after) => {
      close()
      onChange(after)
    },
  })
  return (
    <>
      <Group>
        <Button variant="default" size="xs" leftSection={<Icon name="refresh" />} onClick={open}>
          {texts.values.rotate}
        </Button>
      </Group>
      <Modal
        opened={opened}
        onClose={close}
        title={texts.values.rotateTitle}
        centered
        closeButtonProps={{ 'aria-label': texts.choose.cancel }}
      >
        <Stack gap="sm">
          <Text size="sm">{texts.values.rotateText}</Text>
          <Radio.Group value={grace} onChange={setGrace} aria-label={texts.values.rotateTitle}>
            <Stack gap="xs">
              <Radio value="keep" label={texts.values.keepOld} />
              <Radio value="stop" label={texts.values.stopOld} />
            </Stack>
          </Radio.Group>
          {rotation.error === null ? null : <Alert color="red">{rotation.error.message}</Alert>}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={close}>
              {texts.choose.cancel}
            </Button>
            <Button loading={rotation.isPending} onClick={() => rotation.mutate()}>
              {texts.values.confirm}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  )
}
