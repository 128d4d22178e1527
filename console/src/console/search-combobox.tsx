import type { TextInputProps } from '@mantine/core'
import { Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Query } from '../api/http.ts'
import { request, withQuery } from '../api/http.ts'
import { dsync } from '../api/queries.ts'
import type { SearchHit } from '../api/types.ts'
import type { Texts } from '../texts/en.ts'
import { useTexts } from '../texts/texts.ts'
import { Icon } from '../ui/icons.tsx'
import { isolated } from '../ui/isolated.ts'
import { SuggestingInput } from '../ui/suggesting-input.tsx'

const maxShown = 8

/** A page of the search may be empty and have a next one: at most this number is read. */
const maxPages = 5

interface SearchPage {
  readonly data: readonly SearchHit[]
  readonly pageToken?: string
}

/** The first of what the beginning of a text finds. */
export async function search(query: Query, limit: number) {
  const hits: SearchHit[] = []
  let pageToken: string | undefined
  for (let pages = 0; pages < maxPages; pages++) {
    const path = withQuery(`${dsync}/search`, { ...query, pageLimit: limit, pageToken })
    const page: SearchPage = await request<SearchPage>('GET', path)
    hits.push(...page.data)
    pageToken = page.pageToken
    if (pageToken === undefined || hits.length >= limit) break
  }
  return { hits: hits.slice(0, limit), hasMore: pageToken !== undefined || hits.length > limit }
}

/** Suggests results for a text while it is typed. */
function useFound(text: string, type: SearchHit['type'] | undefined) {
  const [settled] = useDebouncedValue(text.trim(), 200)
  return useQuery({
    queryKey: ['search', type, settled],
    queryFn: () => search({ q: settled, type }, maxShown),
    enabled: settled !== '' && text.trim() !== '',
    placeholderData: keepPreviousData,
  })
}

interface SearchComboboxProps extends Omit<TextInputProps, 'value' | 'onChange' | 'type' | 'children'> {
  readonly value: string
  readonly onText: (text: string) => void
  readonly onChoose: (hit: SearchHit) => void
  /** The kinds of results; by default all. */
  readonly finds?: SearchHit['type']
}

/** A text field that suggests what the text finds. */
export function SearchCombobox({ value, onText, onChoose, finds, ...field }: SearchComboboxProps) {
  const { data } = useFound(value, finds)
  return (
    <SuggestingInput
      {...field}
      value={value}
      onText={onText}
      suggestions={value.trim() === '' ? [] : (data?.hits ?? [])}
      keyOf={(hit) => `${hit.directory_id}/${hit.id}`}
      onChoose={onChoose}
    >
      {(hit) => <Suggestion hit={hit} />}
    </SuggestingInput>
  )
}

const icons = { user: 'user', group: 'group', directory: 'directory' } as const

/** What a hit is, besides its name. */
export function hitDetails({ type, name, email, directory_name: directory, tenant }: SearchHit, texts: Texts): string {
  const details = [
    texts.search.types[type],
    email === name ? null : email,
    type === 'directory' ? null : directory,
    tenant,
  ]
  return details.flatMap((text) => (text === null || text === '' ? [] : [isolated(text)])).join(' · ')
}

function Suggestion({ hit }: { readonly hit: SearchHit }) {
  const texts = useTexts()
  const { type, name } = hit
  return (
    <>
      <Icon name={icons[type]} />
      <div>
        <Text size="sm" fw={550} truncate title={name}>
          <bdi>{name}</bdi>
        </Text>
        <Text size="xs" c="dimmed" truncate>
          {hitDetails(hit, texts)}
        </Text>
      </div>
    </>
  )
}
