import { ActionIcon, CopyButton, Group, Text, Tooltip } from '@mantine/core'
import { useState } from 'react'
import { useTexts } from '../texts/texts.ts'
import { Icon } from './icons.tsx'

/** A button that copies a text. */
export function Copy({ text, what }: { readonly text: string; readonly what: string }) {
  const texts = useTexts()
  return (
    <CopyButton value={text}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? texts.copy.copied : texts.copy.copy(what)}>
          <ActionIcon
            size="sm"
            variant="subtle"
            color={copied ? 'teal' : 'gray'}
            onClick={copy}
            aria-label={texts.copy.copy(what)}
          >
            <Icon name={copied ? 'check' : 'copy'} size={14} />
          </ActionIcon>
        </Tooltip>
      )}
    </CopyButton>
  )
}

interface ValueProps {
  readonly name: string
  readonly value: string
  /** Whether it is hidden until it is asked for. */
  readonly secret?: boolean
}

/** A value to copy. */
export function Value({ name, value, secret = false }: ValueProps) {
  const texts = useTexts()
  const [shown, setShown] = useState(!secret)
  if (value === '')
    return (
      <Text c="dimmed" span>
        {texts.copy.notShown}
      </Text>
    )
  return (
    <Group gap={4} wrap="nowrap" className="value">
      <code>{shown ? value : '•'.repeat(16)}</code>
      {secret ? (
        <button type="button" className="link-button" onClick={() => setShown(!shown)}>
          {shown ? texts.copy.hide : texts.copy.show}
        </button>
      ) : null}
      <Copy text={value} what={name} />
    </Group>
  )
}
