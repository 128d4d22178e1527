import type { TextInputProps } from '@mantine/core'
import { TextInput, VisuallyHidden } from '@mantine/core'
import type { KeyboardEvent, ReactNode } from 'react'
import { useId, useState } from 'react'
import { useTexts } from '../texts/texts.ts'

interface SuggestingInputProps<T> extends Omit<TextInputProps, 'value' | 'onChange' | 'type' | 'children'> {
  readonly value: string
  /** Called with what is typed, and the position of the caret in it. */
  readonly onText: (text: string, caret: number) => void
  readonly suggestions: readonly T[]
  readonly keyOf: (suggestion: T) => string
  readonly onChoose: (suggestion: T) => void
  /** Whether the suggestions appear with the focus, before anything is typed. */
  readonly opensOnFocus?: boolean
  /** Renders a suggestion. */
  readonly children: (suggestion: T) => ReactNode
}

/** A text field with suggestions (ARIA: an editable combobox with a list). */
export function SuggestingInput<T>(props: SuggestingInputProps<T>) {
  const { value, onText, suggestions, keyOf, onChoose, opensOnFocus = false, onBlur, children, ...field } = props
  const texts = useTexts()
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const [active, setActive] = useState(-1)
  const shown = isOpen ? suggestions : []
  const choose = (suggestion: T) => {
    setOpen(false)
    setActive(-1)
    onChoose(suggestion)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const suggestion = shown[active]
    if (event.key === 'Escape' && shown.length > 0) setOpen(false)
    else if (event.key === 'Enter' && suggestion !== undefined) choose(suggestion)
    else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      setOpen(true)
      const count = shown.length + 1
      setActive(((active + 1 + (event.key === 'ArrowDown' ? 1 : -1) + count) % count) - 1)
    } else return
    event.preventDefault()
  }
  return (
    <div className="suggested">
      <TextInput
        {...field}
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={shown.length > 0}
        aria-controls={shown.length > 0 ? id : undefined}
        aria-activedescendant={shown[active] === undefined ? undefined : `${id}-${active}`}
        autoComplete="off"
        value={value}
        onChange={({ currentTarget }) => {
          setOpen(true)
          setActive(-1)
          onText(currentTarget.value, currentTarget.selectionStart ?? currentTarget.value.length)
        }}
        onKeyDown={onKeyDown}
        onFocus={opensOnFocus ? () => setOpen(true) : undefined}
        onBlur={(event) => {
          setOpen(false)
          onBlur?.(event)
        }}
      />
      {shown.length === 0 ? null : (
        <div id={id} role="listbox" aria-label={texts.search.suggestions} className="suggestions">
          {shown.map((suggestion, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus, and its keys
            <div
              key={keyOf(suggestion)}
              id={`${id}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === active}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => choose(suggestion)}
            >
              {children(suggestion)}
            </div>
          ))}
        </div>
      )}
      <VisuallyHidden role="status">{shown.length > 0 ? texts.search.found(shown.length) : ''}</VisuallyHidden>
    </div>
  )
}
