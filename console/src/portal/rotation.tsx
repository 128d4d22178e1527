import { Radio, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { PortalState } from './api.ts'
import { call } from './api.ts'
import { ConfirmationDialog } from './confirmation.tsx'
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
  return (
    <ConfirmationDialog
      title={texts.values.rotateTitle}
      confirm={texts.values.rotate}
      action={() =>
        call<PortalState>('POST', '/directory/rotate-secret', { grace_seconds: grace === 'keep' ? dayInSeconds : 0 })
      }
      onChange={onChange}
      onClose={onClose}
    >
      <Text size="sm">{texts.values.rotateText}</Text>
      <Radio.Group value={grace} onChange={setGrace} aria-label={texts.values.rotateTitle}>
        <Stack gap="xs">
          <Radio value="keep" label={texts.values.keepOld} />
          <Radio value="stop" label={texts.values.stopOld} />
        </Stack>
      </Radio.Group>
    </ConfirmationDialog>
  )
}
