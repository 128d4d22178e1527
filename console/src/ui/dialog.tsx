import type { ModalProps } from '@mantine/core'
import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import type { FormEvent, ReactNode } from 'react'
import { ApiError } from '../api/http.ts'
import { useTexts } from '../texts/texts.ts'
import { useProblemFocus } from './focus.ts'
import { Failure } from './states.tsx'

/** A dialog whose cross has a name, and whose header is not taken for that of the page. */
export function Dialog(props: ModalProps) {
  const texts = useTexts()
  return (
    <Modal
      closeButtonProps={{ 'aria-label': texts.forms.close }}
      attributes={{ header: { role: 'presentation' } }}
      {...props}
    />
  )
}

interface DialogFormProps {
  /** The label of the button that sends the form. */
  readonly label: string
  readonly isDangerous?: boolean
  readonly isDisabled?: boolean
  readonly isPending: boolean
  /** Why it could not be sent. */
  readonly error: Error | null
  /** The fields that show their problems themselves. */
  readonly fields?: readonly string[]
  readonly children: ReactNode
  readonly submit: () => void
  readonly close: () => void
}

/** The form in a dialog: its fields, why it could not be sent, and the buttons that close the dialog and send it. */
export function DialogForm(props: DialogFormProps) {
  const { label, isDangerous = false, isDisabled = false, isPending, error, fields, children, submit, close } = props
  const texts = useTexts()
  const form = useProblemFocus(error)
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    submit()
  }
  return (
    <form ref={form} onSubmit={onSubmit}>
      <Stack gap="sm">
        {children}
        {error === null || isShownIn(fields ?? [], error) ? null : <Failure error={error} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" size="sm" onClick={close}>
            {texts.forms.cancel}
          </Button>
          <Button
            type="submit"
            size="sm"
            {...(isDangerous ? { color: 'red.9' } : {})}
            loading={isPending}
            disabled={isDisabled}
          >
            {label}
          </Button>
        </Group>
        {isPending ? (
          <Text size="xs" c="dimmed" role="status">
            {texts.forms.working}
          </Text>
        ) : null}
      </Stack>
    </form>
  )
}

function isShownIn(fields: readonly string[], error: Error): boolean {
  if (!(error instanceof ApiError) || error.problems.length === 0) return false
  return error.problems.every(({ field }) => fields.includes(field))
}

/** The end of a dialog that has shown its result. */
export function DialogEnd({ close }: { readonly close: () => void }) {
  const texts = useTexts()
  return (
    <Group justify="flex-end">
      <Button onClick={close}>{texts.forms.close}</Button>
    </Group>
  )
}
