import { Kbd } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import type { FormEvent } from 'react'
import { useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { SearchHit } from '../api/types.ts'
import { useTexts } from '../texts/texts.ts'
import { Icon } from '../ui/icons.tsx'
import { SearchCombobox } from './search-combobox.tsx'

/** The page of a user, group or directory. */
function pageOf({ type, id, directory_id: directoryId }: SearchHit): string {
  const directory = `/directories/${directoryId}`
  return type === 'directory' ? directory : `${directory}/${type}s/${id}`
}

/**
 * Finds users, groups and directories from anywhere. Without a choice, it asks about a user or group; within a directory, about
 * that directory.
 */
export function SearchBox() {
  const texts = useTexts()
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const input = useRef<HTMLInputElement>(null)
  const [subject, setSubject] = useState('')
  useHotkeys([
    ['mod+K', () => input.current?.focus()],
    ['/', () => input.current?.focus()],
  ])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (subject.trim() === '') return
    const directoryId = /^\/directories\/([^/]+)/.exec(pathname)?.[1]
    const query = new URLSearchParams({ subject: subject.trim(), ...(directoryId ? { directoryId } : {}) })
    setSubject('')
    void navigate(`/explain?${query}`)
  }
  const open = (hit: SearchHit) => {
    setSubject('')
    void navigate(pageOf(hit))
  }
  return (
    <form onSubmit={submit} className="search-box">
      <SearchCombobox
        ref={input}
        size="sm"
        aria-label={texts.shell.searchLabel}
        placeholder={texts.shell.searchPlaceholder}
        leftSection={<Icon name="search" />}
        rightSection={<Kbd size="xs">/</Kbd>}
        value={subject}
        onText={setSubject}
        onChoose={open}
      />
    </form>
  )
}
