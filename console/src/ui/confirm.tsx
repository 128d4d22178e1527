import { Button, List, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { useTexts } from '../texts/texts.ts'
import { Dialog, DialogForm } from './dialog.tsx'
import type { IconName } from './icons.tsx'
import { Icon } from './icons.tsx'

interface ConfirmProps {
  /** The label of the button, and of the one that confirms. */
  readonly label: string
  readonly icon?: IconName
  readonly title: string
  /** The consequences, in sentences. */
  readonly consequences: readonly ReactNode[]
  /** The text that must be typed to confirm. */
  readonly typed?: string
  /** The label of a text that must be entered, such as a reason. */
  readonly reason?: string
  /** The kind of the text. Default: `text`. */
  readonly inputType?: 'text' | 'datetime-local'
  readonly dangerous?: boolean
  readonly disabled?: boolean
  /** Called when the question is asked. */
  readonly onAsk?: () => void
  /** Further fields. */
  readonly children?: ReactNode
  /** Called with the text that was entered. */
  readonly act: (text: string) => Promise<unknown>
}

/** A button that says what it will do and asks before it does it. */
export function Confirm(props: ConfirmProps) {
  const [opened, { open, close }] = useDisclosure(false)
  const { label, icon, title, dangerous = false, disabled = false, onAsk } = props
  const ask = () => {
    onAsk?.()
    open()
  }
  return (
    <>
      <Button
        variant={dangerous ? 'light' : 'default'}
        {...(dangerous ? { color: 'red' } : {})}
        size="xs"
        leftSection={icon === undefined ? undefined : <Icon name={icon} />}
        disabled={disabled}
        onClick={ask}
      >
        {label}
      </Button>
      <Dialog opened={opened} onClose={close} title={title} centered>
        {opened ? <Question {...props} close={close} /> : null}
      </Dialog>
    </>
  )
}

function Question({
  label,
  consequences,
  typed,
  reason,
  inputType = 'text',
  dangerous = false,
  children,
  act,
  close,
}: ConfirmProps & { readonly close: () => void }) {
  const texts = useTexts()
  const [text, setText] = useState('')
  const action = useMutation({ mutationFn: () => act(text.trim()), onSuccess: close })
  return (
    <DialogForm
      label={label}
      isDangerous={dangerous}
      isDisabled={(typed !== undefined && text !== typed) || (reason !== undefined && text.trim() === '')}
      isPending={action.isPending}
      error={action.error}
      submit={() => action.mutate()}
      close={close}
    >
      <List size="sm" spacing={6}>
        {consequences.map((consequence, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list does not change
          <List.Item key={index}>{consequence}</List.Item>
        ))}
      </List>
      {typed === undefined ? null : (
        <TextInput
          label={texts.confirm.type(typed)}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          autoComplete="off"
          data-autofocus
        />
      )}
      {reason === undefined ? null : (
        <TextInput
          label={reason}
          type={inputType}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          maxLength={500}
          required
          autoComplete="off"
          data-autofocus
        />
      )}
      {children}
    </DialogForm>
  )
}
