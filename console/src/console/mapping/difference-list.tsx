import { Text } from '@mantine/core'
import { useState } from 'react'
import { useTexts } from '../../texts/texts.ts'
import { firstLines, ShowMore } from '../../ui/show-more.tsx'
import { differencesOf } from './differences.ts'
import type { MappingDocument } from './document.ts'

interface DifferenceListProps {
  readonly before: MappingDocument | null
  readonly after: MappingDocument | null
}

/** Describes the differences between two mappings. */
export function DifferenceList({ before, after }: DifferenceListProps) {
  const texts = useTexts()
  const [limit, setLimit] = useState(firstLines)
  const differences = differencesOf(before, after, texts.roles)
  if (differences.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {texts.roles.same}
      </Text>
    )
  }
  return (
    <>
      <ul className="differences">
        {differences.slice(0, limit).map(({ name, from, to }) => (
          <li key={name}>
            <span>{name}</span>
            {from === undefined ? null : <del>{from}</del>}
            {to === undefined ? null : <ins>{to}</ins>}
          </li>
        ))}
      </ul>
      <ShowMore hidden={differences.length - limit} onClick={() => setLimit(differences.length)} />
    </>
  )
}
