import { Table, Text, Title } from '@mantine/core'
import type { AttributeName, Guide } from './guide.ts'
import { attributes } from './guide.ts'
import { useTexts } from './texts/use-texts.tsx'

/** The attributes that the identity provider should send, each with its source there, if it is known. */
export function AttributeList({ guide: { sources } }: { readonly guide: Guide }) {
  const { texts } = useTexts()
  const { heading, source, attribute, meaning, meanings, required } = texts.attributes
  return (
    <section aria-labelledby="attributes">
      <Title order={3} id="attributes" mb="xs">
        {heading}
      </Title>
      <Table withTableBorder verticalSpacing={6} className="portal-attributes">
        <Table.Thead>
          <Table.Tr>
            {sources === undefined ? null : <Table.Th scope="col">{source}</Table.Th>}
            <Table.Th scope="col">{attribute}</Table.Th>
            <Table.Th scope="col">{meaning}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {attributes
            .filter(({ scim }) => sources === undefined || sources[scim] !== undefined)
            .map(({ scim, isRequired }) => (
              <Table.Tr key={scim}>
                {sources === undefined ? null : (
                  <Table.Td data-label={source}>
                    <Source scim={scim} sources={sources} />
                  </Table.Td>
                )}
                <Table.Td data-label={attribute}>
                  <code>{scim}</code>
                </Table.Td>
                <Table.Td data-label={meaning}>
                  {meanings[scim]}
                  {isRequired ? (
                    <Text span size="sm" fw={600}>
                      {' '}
                      ({required})
                    </Text>
                  ) : null}
                </Table.Td>
              </Table.Tr>
            ))}
        </Table.Tbody>
      </Table>
    </section>
  )
}

interface SourceProps {
  readonly scim: AttributeName
  readonly sources: NonNullable<Guide['sources']>
}

function Source({ scim, sources }: SourceProps) {
  const { texts } = useTexts()
  const source = sources[scim]
  return typeof source === 'string' ? <code lang="en">{source}</code> : texts.attributes.automatic
}
