import { Table, Text, Title } from '@mantine/core'
import { attributes } from './guide.ts'
import { useTexts } from './texts/use-texts.tsx'

/** The attributes that the identity provider should send. */
export function AttributeList() {
  const { texts } = useTexts()
  const { heading, attribute, meaning, meanings, required } = texts.attributes
  return (
    <section aria-labelledby="attributes">
      <Title order={3} id="attributes" mb="xs">
        {heading}
      </Title>
      <Table withTableBorder verticalSpacing={6} className="portal-attributes">
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{attribute}</Table.Th>
            <Table.Th scope="col">{meaning}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {attributes.map(({ scim, isRequired }) => (
            <Table.Tr key={scim}>
              <Table.Td>
                <code>{scim}</code>
              </Table.Td>
              <Table.Td>
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
