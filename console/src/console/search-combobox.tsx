import type { TextInputProps } from '@mantine/core'
import { Text, TextInput, VisuallyHidden } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { KeyboardEvent } from 'react'
import { useId, useState } from 'react'
import type { ApiError } from '../api/http.ts'
import { request, withQuery } from '../api/http.ts'
import { dsync } from '../api/queries.ts'
import type { SearchHit } from '../api/types.ts'
import { useTexts } from '../texts/texts.ts'
import { Icon } from '../ui/icons.tsx'
import { isolated } from '../ui/isolated.ts'

const maxShown = 8

/** A page of the search may be empty and have a next one: so many are read at most. */
const maxPages = 5

interface Found {
  readonly hits: readonly SearchHit[]
  readonly isComplete: boolean
}

interface SearchPage {
  readonly data: readonly SearchHit[]
  readonly pageToken?: string
  readonly complete: boolean
}

async function search(q: string, type: SearchHit['type'] | undefined): Promise<Found> {
  const hits: SearchHit[] = []
  let pageToken: string | undefined
  for (let pages = 0; pages < maxPages; pages++) {
    const query = { q, type, pageLimit: maxShown, pageToken }
    const page: SearchPage = await request<SearchPage>('GET', withQuery(`${dsync}/search`, query))
    hits.push(...page.data)
    pageToken = page.pageToken
    if (pageToken === undefined || hits.length >= maxShown)
      return { hits: hits.slice(0, maxShown), isComplete: page.complete }
  }
  return { hits, isComplete: false }
}

/** What the beginning of a text finds, as it is typed. */
function useFound(text: string, type: SearchHit['type'] | undefined) {
  const [settled] = useDebouncedValue(text.trim(), 200)
  return useQuery<Found, ApiError>({
    queryKey: ['search', type, settled],
    queryFn: () => search(settled, type),
    enabled: settled !== '' && text.trim() !== '',
    placeholderData: keepPreviousData,
  })
}

interface SearchComboboxProps extends Omit<TextInputProps, 'value' | 'onChange' | 'type'> {
  readonly value: string
  readonly onText: (text: string) => void
  readonly onChoose: (hit: SearchHit) => void
  /** What to find; by default everything. */
  readonly finds?: SearchHit['type']
}

/** A text field that suggests what the text finds (ARIA: an editable combobox with a list). */
export function SearchCombobox({ value, onText, onChoose, finds, ...field }: SearchComboboxProps) {
  const texts = useTexts()
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const [active, setActive] = useState(-1)
  const { data } = useFound(value, finds)
  const hits = isOpen && value.trim() !== '' ? (data?.hits ?? []) : []
  const choose = (hit: SearchHit) => {
    setOpen(false)
    setActive(-1)
    onChoose(hit)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const hit = hits[active]
    if (event.key === 'Escape' && hits.length > 0) setOpen(false)
    else if (event.key === 'Enter' && hit !== undefined) choose(hit)
    else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      setOpen(true)
      const count = hits.length + 1
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
        aria-expanded={hits.length > 0}
        aria-controls={hits.length > 0 ? id : undefined}
        aria-activedescendant={hits[active] === undefined ? undefined : `${id}-${active}`}
        autoComplete="off"
        value={value}
        onChange={(event) => {
          setOpen(true)
          setActive(-1)
          onText(event.currentTarget.value)
        }}
        onKeyDown={onKeyDown}
        onBlur={() => setOpen(false)}
      />
      {hits.length === 0 ? null : (
        <div id={id} role="listbox" aria-label={texts.search.suggestions} className="suggestions">
          {hits.map((hit, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus, and its keys
            <div
              key={`${hit.directory_id}/${hit.id}`}
              id={`${id}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === active}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => choose(hit)}
            >
              <Suggestion hit={hit} />
            </div>
          ))}
        </div>
      )}
      <VisuallyHidden role="status">{hits.length > 0 ? texts.search.found(hits.length) : ''}</VisuallyHidden>
    </div>
  )
}

const icons = { user: 'user', group: 'group', directory: 'directory' } as const

function Suggestion({ hit }: { readonly hit: SearchHit }) {
  const texts = useTexts()
  const { type, name, email, directory_name: directory, tenant } = hit
  const details = [
    texts.search.types[type],
    email === name ? null : email,
    type === 'directory' ? null : directory,
    tenant,
  ]
  return (
    <>
      <Icon name={icons[type]} />
      <div>
        <Text size="sm" fw={550} truncate title={name}>
          <bdi>{name}</bdi>
        </Text>
        <Text size="xs" c="dimmed" truncate>
          {details.flatMap((text) => (text === null || text === '' ? [] : [isolated(text)])).join(' · ')}
        </Text>
      </div>
    </>
  )
}
