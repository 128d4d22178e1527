import { Kbd, TextInput } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import type { FormEvent } from 'react'
import { useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { useTexts } from '../texts/texts.ts'
import { Icon } from '../ui/icons.tsx'

/** Asks about a user or group from anywhere; within a directory, about that directory. */
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
  return (
    <form onSubmit={submit} className="search-box">
      <TextInput
        ref={input}
        type="search"
        size="sm"
        aria-label={texts.shell.searchLabel}
        placeholder={texts.shell.searchPlaceholder}
        leftSection={<Icon name="search" />}
        rightSection={<Kbd size="xs">/</Kbd>}
        value={subject}
        onChange={(event) => setSubject(event.currentTarget.value)}
        autoComplete="off"
      />
    </form>
  )
}
