import { Alert, Button, Group, SimpleGrid, Text, Title, UnstyledButton } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { PortalState } from './api.ts'
import { call } from './api.ts'
import { useTexts } from './texts/use-texts.tsx'

interface ChoiceProps {
  readonly types: PortalState['types']
  /** The type that is chosen already. */
  readonly present?: string
  readonly onChange: (after: PortalState) => void
  readonly onCancel?: () => void
}

/** Asks for the identity provider. */
export function ProviderChoice({ types, present, onChange, onCancel }: ChoiceProps) {
  const { texts } = useTexts()
  const choice = useMutation({
    mutationFn: (type: string) => call<PortalState>('POST', '/directory', { type }),
    onSuccess: onChange,
  })
  return (
    <section aria-labelledby="choose">
      <Title order={2} id="choose" mb="sm">
        {texts.choose.heading}
      </Title>
      {present === undefined ? null : (
        <Text size="sm" mb="sm">
          {texts.choose.changeText}
        </Text>
      )}
      {choice.error === null ? null : (
        <Alert color="red" mb="sm">
          {choice.error.message}
        </Alert>
      )}
      {types.length === 0 ? <Alert color="yellow">{texts.choose.none}</Alert> : null}
      <SimpleGrid cols={{ base: 1, xs: 2, sm: 3 }} spacing="sm">
        {types.map(({ type, label }) => (
          <UnstyledButton
            key={type}
            className="portal-choice"
            aria-current={type === present}
            disabled={choice.isPending}
            onClick={() => choice.mutate(type)}
          >
            <Mark type={type} />
            <span>{type === 'generic-scim-v2' ? texts.choose.other : label.replace(/ SCIM v2\.0$/, '')}</span>
          </UnstyledButton>
        ))}
      </SimpleGrid>
      {onCancel === undefined ? null : (
        <Group mt="sm">
          <Button variant="default" size="xs" onClick={onCancel}>
            {texts.choose.cancel}
          </Button>
        </Group>
      )}
    </section>
  )
}

/** The letters of drawn marks; the logos of the providers are trademarks that need permission. */
const marks: Readonly<Record<string, readonly [letters: string, color: string]>> = {
  'okta-scim-v2': ['Ok', '#00297a'],
  'azure-scim-v2': ['En', '#0063b1'],
  'onelogin-scim-v2': ['1L', '#3b4252'],
  'jumpcloud-scim-v2': ['JC', '#00646b'],
  'pingone-scim-v2': ['P1', '#a8201f'],
  'pingfederate-scim-v2': ['PF', '#a8201f'],
  'rippling-scim-v2': ['Ri', '#5a1f4e'],
  'cyberark-scim-v2': ['CA', '#2b3a8f'],
  'sailpoint-scim-v2': ['SP', '#0b4a8f'],
  extdir: ['GW', '#1a6b37'],
}

/** A drawn mark of a provider. */
function Mark({ type }: { readonly type: string }) {
  const [letters, color] = marks[type] ?? ['2.0', '#495057']
  return (
    <svg width="32" height="32" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="8" fill={color} />
      <text x="16" y="21" textAnchor="middle" fontSize="14" fontWeight="650" fill="#fff">
        {letters}
      </text>
    </svg>
  )
}
