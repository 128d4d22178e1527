import { Text, Title } from '@mantine/core'
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
      <table className="portal-attributes">
        <thead>
          <tr>
            {sources === undefined ? null : <th scope="col">{source}</th>}
            <th scope="col">{attribute}</th>
            <th scope="col">{meaning}</th>
          </tr>
        </thead>
        <tbody>
          {attributes
            .filter(({ scim }) => sources === undefined || sources[scim] !== undefined)
            .map(({ scim, isRequired }) => (
              <tr key={scim}>
                {sources === undefined ? null : (
                  <td data-label={source}>
                    <Source scim={scim} sources={sources} />
                  </td>
                )}
                <td data-label={attribute}>
                  <code>{scim}</code>
                </td>
                <td data-label={meaning}>
                  {meanings[scim]}
                  {isRequired ? (
                    <Text span size="sm" fw={600}>
                      {' '}
                      ({required})
                    </Text>
                  ) : null}
                </td>
              </tr>
            ))}
        </tbody>
      </table>
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
