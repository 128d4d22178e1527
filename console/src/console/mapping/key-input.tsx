import type { TextInputProps } from '@mantine/core'
import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTexts } from '../../texts/texts.ts'

/** A name in an object, and its value. */
export type Entry<T> = readonly [name: string, value: T]

/** A name with a number that none of the others has. */
export function newName(start: string, taken: readonly string[]): string {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? start : `${start}${number}`
    if (!taken.includes(name)) return name
  }
}

interface KeyInputProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  readonly value: string
  /** The names that the object has: it cannot have one of them twice. */
  readonly others: readonly string[]
  readonly onValue: (value: string) => void
}

/** A field for a name in an object. A name that is there already stays in the field, and is not used. */
export function KeyInput({ value, others, onValue, error, onBlur, ...field }: KeyInputProps) {
  const texts = useTexts()
  const [taken, setTaken] = useState<string>()
  return (
    <TextInput
      {...field}
      value={taken ?? value}
      error={taken === undefined ? error : texts.roles.taken}
      autoComplete="off"
      onChange={({ currentTarget: { value: text } }) => {
        const isTaken = text !== value && others.includes(text)
        setTaken(isTaken ? text : undefined)
        if (!isTaken) onValue(text)
      }}
      onBlur={(event) => {
        setTaken(undefined)
        onBlur?.(event)
      }}
    />
  )
}
