import { Paper, Radio, Stack, Text, Title } from '@mantine/core'
import type { PortalDirectory } from './api.ts'
import type { Guide, SignIn } from './guide.ts'
import { useTexts } from './texts/use-texts.tsx'

interface SignInChoiceProps {
  readonly guide: Guide
  readonly directory: PortalDirectory
  readonly signIn: SignIn
  readonly onChoose: (signIn: SignIn) => void
}

/** Asks how the provider signs in. The SCIM secret is not offered where it is refused. */
export function SignInChoice({ guide: { signIns = [] }, directory: { oauth }, signIn, onChoose }: SignInChoiceProps) {
  const { texts } = useTexts()
  const isRequired = oauth?.is_required === true
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="sign-in">
      <Title order={3} id="sign-in" mb="sm">
        {texts.signIn.heading}
      </Title>
      <Radio.Group value={signIn} onChange={(value) => onChoose(value as SignIn)} aria-labelledby="sign-in">
        <Stack gap="sm">
          {signIns
            .filter((way) => way !== 'token' || !isRequired)
            .map((way) => (
              <Radio
                key={way}
                value={way}
                label={texts.signIn.ways[way].name}
                description={texts.signIn.ways[way].about}
              />
            ))}
        </Stack>
      </Radio.Group>
      {isRequired ? (
        <Text size="sm" mt="sm">
          {texts.signIn.onlyOAuth}
        </Text>
      ) : null}
    </Paper>
  )
}
