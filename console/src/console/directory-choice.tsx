import { CloseButton } from '@mantine/core'
import { useState } from 'react'
import { dsync, useData } from '../api/queries.ts'
import type { Directory } from '../api/types.ts'
import { useTexts } from '../texts/texts.ts'
import { SearchCombobox } from './search-combobox.tsx'

interface DirectoryChoiceProps {
  readonly label: string
  /** The meaning of no choice. */
  readonly placeholder: string
  /** The id of the directory; empty without a choice. */
  readonly value: string
  readonly onChange: (directoryId: string) => void
}

/** A field to choose a directory, which is found by the beginning of its name, tenant or id. */
export function DirectoryChoice({ label, placeholder, value, onChange }: DirectoryChoiceProps) {
  const texts = useTexts()
  const chosen = useData<Directory>(`${dsync}/${value}`, {}, { enabled: value !== '' })
  const [typed, setTyped] = useState<string>()
  const shown = typed ?? (value === '' ? '' : (chosen.data?.name ?? (chosen.isError ? value : '')))
  const change = (directoryId: string) => {
    setTyped(undefined)
    onChange(directoryId)
  }
  return (
    <SearchCombobox
      label={label}
      placeholder={placeholder}
      finds="directory"
      value={shown}
      onText={setTyped}
      onChoose={({ id }) => change(id)}
      rightSection={
        shown === '' ? null : (
          <CloseButton size="sm" aria-label={texts.search.clear(label)} onClick={() => change('')} />
        )
      }
    />
  )
}
