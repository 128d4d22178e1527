import { Alert, Button, Group, Modal, Stack } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { PortalState } from './api.ts'
import { useTexts } from './texts/use-texts.tsx'

interface ConfirmationProps {
  readonly title: string
  /** The text of the button that confirms. */
  readonly confirm: string
  readonly isDestructive?: boolean
  /** Runs the action of the button; returns the new state of the portal. */
  readonly action: () => Promise<PortalState>
  readonly onChange: (after: PortalState) => void
  readonly onClose: () => void
  /** The consequences. */
  readonly children: ReactNode
}

/** Asks before a change, and shows the error if it fails. */
export function ConfirmationDialog({
  title,
  confirm,
  isDestructive = false,
  action,
  onChange,
  onClose,
  children,
}: ConfirmationProps) {
  const { texts } = useTexts()
  const mutation = useMutation({
    mutationFn: action,
    onSuccess: (after) => {
      onChange(after)
      onClose()
    },
  })
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      centered
      closeButtonProps={{ 'aria-label': texts.choose.cancel }}
      attributes={{ header: { role: 'presentation' } }}
    >
      <Stack gap="sm">
        {children}
        {mutation.error === null ? null : <Alert color="red">{mutation.error.message}</Alert>}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {texts.choose.cancel}
          </Button>
          <Button
            {...(isDestructive && { color: 'red' })}
            loading={mutation.isPending}
            onClick={() => mutation.mutate()}
          >
            {confirm}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
