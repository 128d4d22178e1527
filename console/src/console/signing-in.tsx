import { Center, Loader } from '@mantine/core'
import { useTexts } from '../texts/texts.ts'

/** Shown while the session is being read or made. */
export function SigningIn() {
  const texts = useTexts()
  return (
    <Center mih="100dvh" component="main">
      <Loader aria-label={texts.signIn.withLink} />
    </Center>
  )
}
