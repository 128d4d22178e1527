import { Text, Title } from '@mantine/core'
import type { ReactElement } from 'react'
import { useState } from 'react'
import { useTexts } from '../../texts/texts.ts'
import { firstLines, ShowMore } from '../../ui/show-more.tsx'
import type { MappingDocument } from './document.ts'
import { ruleIds, rulesOf } from './document.ts'
import { AttributeLine, RuleLine } from './rule-line.tsx'

/** The rules of a mapping, to read. */
export function Rules({ mapping }: { readonly mapping: MappingDocument }) {
  const texts = useTexts()
  const ids = ruleIds(mapping)
  const lines = rulesOf(mapping).map((rule, index) => {
    const id = ids[index] ?? ''
    return <RuleLine key={id} rule={rule} id={id} />
  })
  return <Lines title={texts.roles.rules} empty={texts.roles.noRules} list="ol" lines={lines} />
}

/** The attributes of a mapping, to read. */
export function Attributes({ mapping: { attributes = {} } }: { readonly mapping: MappingDocument }) {
  const texts = useTexts()
  const lines = Object.entries(attributes).map(([name, attribute]) => (
    <AttributeLine key={name} name={name} attribute={attribute} />
  ))
  return <Lines title={texts.roles.attributes} empty={texts.roles.noAttributes} list="ul" lines={lines} />
}

interface LinesProps {
  readonly title: string
  /** Shown when there are no lines. */
  readonly empty: string
  readonly list: 'ol' | 'ul'
  readonly lines: readonly ReactElement[]
}

/** Lines under a title: the first ones of a long list, then a button for the others. */
function Lines({ title, empty, list: List, lines }: LinesProps) {
  const [limit, setLimit] = useState(firstLines)
  return (
    <div>
      <Title order={3} mb="xs">
        {title}
      </Title>
      {lines.length === 0 ? (
        <Text size="sm" c="dimmed">
          {empty}
        </Text>
      ) : (
        <List className="edit-list" aria-label={title}>
          {lines.slice(0, limit).map((line) => (
            <li key={line.key}>{line}</li>
          ))}
        </List>
      )}
      <ShowMore hidden={lines.length - limit} onClick={() => setLimit(lines.length)} />
    </div>
  )
}
