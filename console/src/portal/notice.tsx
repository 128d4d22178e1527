import { Anchor, Button, Code, Group, Stack, Text, Title } from '@mantine/core'
import { isolated } from '../ui/isolated.ts'
import type { PageFacts } from './early.ts'
import { page } from './early.ts'
import { session } from './storage.ts'
import type { NoticeKind } from './texts/texts.ts'
import { useTexts } from './texts/use-texts.tsx'

const setupKey = 'rollcall-portal-setup'

/** Keeps the address of the setup for the way back from Google, which knows nothing about it. */
export function keepSetup(): void {
  session.set(setupKey, location.pathname)
}

/** The result, with the ways back. */
export function NoticeText({ kind, detail }: { readonly kind: NoticeKind; readonly detail?: string | undefined }) {
  const { texts } = useTexts()
  const { title, text } = texts.notices[kind]
  const kept = session.get(setupKey)
  const setup = kept === location.pathname ? null : kept
  return (
    <Stack align="flex-start" maw={640}>
      <Title order={1}>{title}</Title>
      <Text>{text}</Text>
      {detail === undefined ? null : (
        <Code lang="en" className="portal-detail">
          {detail}
        </Code>
      )}
      <Group>
        {setup === null ? null : (
          <Button component="a" href={setup}>
            {texts.toSetup}
          </Button>
        )}
        <ReturnLink portal={page.portal} />
      </Group>
    </Stack>
  )
}

/** Leads back to the product, out of its frame if it shows the page in one. */
export function ReturnLink({ portal: { name, return_url: url } }: Pick<PageFacts, 'portal'>) {
  const { texts } = useTexts()
  if (url === null || !URL.canParse(url)) return null
  return (
    <Anchor href={url} target="_top" size="sm">
      {texts.back(isolated(name ?? new URL(url).host))}
    </Anchor>
  )
}
