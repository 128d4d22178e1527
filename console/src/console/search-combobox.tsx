import type { TextInputProps } from '@mantine/core'
import { Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ApiError } from '../api/http.ts'
import { request, withQuery } from '../api/http.ts'
import { dsync } from '../api/queries.ts'
import type { SearchHit } from '../api/types.ts'
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

async function search(q: string, type: SearchHit['type'] | undefined): Promise<readonly SearchHit[]> {
  const hits: SearchHit[] = []
  let pageToken: string | undefined
  for (let pages = 0; pages < maxPages; pages++) {
    const query = { q, type, pageLimit: maxShown, pageToken }
    const page: SearchPage = await request<SearchPage>('GET', withQuery(`${dsync}/search`, query))
    hits.push(...page.data)
    pageToken = page.pageToken
    if (pageToken === undefined || hits.length >= maxShown) break
  }
  return hits.slice(0, maxShown)
}

/** Suggests results for a text while it is typed. */
function useFound(text: string, type: SearchHit['type'] | undefined) {
  const [settled] = useDebouncedValue(text.trim(), 200)
  return useQuery<readonly SearchHit[], ApiError>({
    queryKey: ['search', type, settled],
    queryFn: () => search(settled, type),
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
      suggestions={value.trim() === '' ? [] : (data ?? [])}
      keyOf={(hit) => `${hit.directory_id}/${hit.id}`}
      onChoose={onChoose}
    >
      {(hit) => <Suggestion hit={hit} />}
    </SuggestingInput>
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
