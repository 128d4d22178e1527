import type { TextInputProps } from '@mantine/core'
import { Text } from '@mantine/core'
import { useState } from 'react'
import { useTexts } from '../../texts/texts.ts'
import { isolated } from '../../ui/isolated.ts'
import { SuggestingInput } from '../../ui/suggesting-input.tsx'
import { useSuggestedPaths } from './place.tsx'
import type { SuggestedPath } from './suggestions.ts'
import { pathsFor, withPath, wordBefore } from './suggestions.ts'

interface PathInputProps extends Omit<TextInputProps, 'value' | 'onChange' | 'children'> {
  readonly value: string
  readonly onText: (text: string) => void
}

const codeInput = { classNames: { input: 'code-input' }, spellCheck: false }

/** A field for an attribute path, with those that users of the directory have. */
export function PathInput({ value, onText, ...field }: PathInputProps) {
  const paths = useSuggestedPaths()
  return (
    <SuggestingInput
      {...field}
      {...codeInput}
      value={value}
      onText={onText}
      suggestions={pathsFor(value, paths)}
      keyOf={({ path }) => path}
      onChoose={({ path }) => onText(path)}
      opensOnFocus
    >
      {(one) => <PathSuggestion one={one} />}
    </SuggestingInput>
  )
}

/** A field for a SCIM filter. While a word is typed, it suggests the attribute paths that contain the word. */
export function FilterInput({ value, onText, ...field }: PathInputProps) {
  const paths = useSuggestedPaths()
  const [caret, setCaret] = useState(value.length)
  const word = wordBefore(value, caret)
  return (
    <SuggestingInput
      {...field}
      {...codeInput}
      value={value}
      onText={(text, at) => {
        setCaret(at)
        onText(text)
      }}
      suggestions={word === '' && value !== '' ? [] : pathsFor(word, paths)}
      keyOf={({ path }) => path}
      onChoose={({ path }) => {
        const filter = withPath(value, caret, path)
        setCaret(filter.length)
        onText(filter)
      }}
      opensOnFocus={value === ''}
    >
      {(one) => <PathSuggestion one={one} />}
    </SuggestingInput>
  )
}

function PathSuggestion({ one: { path, users, examples = [] } }: { readonly one: SuggestedPath }) {
  const texts = useTexts()
  return (
    <div>
      <Text size="sm" className="suggested-path">
        {path}
      </Text>
      {users === undefined ? null : (
        <Text size="xs" c="dimmed" truncate>
          {texts.roles.seen(users, examples.map(isolated).join(', '))}
        </Text>
      )}
    </div>
  )
}
