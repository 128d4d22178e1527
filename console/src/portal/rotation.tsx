import { Alert, Button, Group, Modal, Radio, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { PortalState } from './api.ts'
import { call } from './api.ts'
import { useTexts } from './texts/use-texts.tsx'

const dayInSeconds = 86_400

interface RotationProps {
  readonly onChange: (after: PortalState) => void
  readonly onClose: () => void
}

/** Asks whether to create a new secret, and what becomes of the present one. */
export function RotationDialog({ onChange, onClose }: RotationProps) {
  const { texts } = useTexts()
  const [grace, setGrace] = useState('keep')
  const rotation = useMutation({
    mutationFn: () =>
      call<PortalState>('POST', '/directory/rotate-secret', { grace_seconds: grace === 'keep' ? dayInSeconds : 0 }),
    onSuccess: (after) => {
      onChange(after)
      onClose()
    },
  })
  return (
    <Modal
      opened
      onClose={onClose}
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
          <Button variant="default" onClick={onClose}>
            {texts.choose.cancel}
          </Button>
          <Button loading={rotation.isPending} onClick={() => rotation.mutate()}>
            {texts.values.rotate}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
