import { Stack, Text } from '@mantine/core'
import { dsync, send } from '../api/queries.ts'
import type { SetupLink } from '../api/types.ts'
import { useTexts } from '../texts/texts.ts'
import { Value } from '../ui/copy.tsx'
import { fullTime } from '../ui/times.ts'

/** The path below which lists and counts of setup links are read. */
export const setupLinksPath = `${dsync}/setuplinks`

/** A link with its address, if it was created by this request. */
export interface CreatedLink {
  readonly link: SetupLink
  /** Whether the address is in the clipboard. */
  readonly isCopied: boolean
}

/** Creates a setup link and copies its address. */
export async function createSetupLink(fields: object): Promise<CreatedLink> {
  const link = await send<SetupLink>('POST', setupLinksPath, fields)
  return { link, isCopied: link.url !== '' && (await copied(link.url)) }
}

/** Browsers have no clipboard on pages without TLS, and may refuse it. */
async function copied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}

/** The address of a new link, which is shown only now. */
export function NewSetupLink({ created: { link, isCopied } }: { readonly created: CreatedLink }) {
  const texts = useTexts()
  const until = fullTime(new Date(link.validTill).toISOString(), texts.language)
  return (
    <Stack gap={4}>
      <Value name={texts.setupLinks.link} value={link.url} />
      <Text size="sm" c="dimmed" role="status">
        {isCopied ? `${texts.setupLinks.copied} ` : ''}
        {texts.setupLinks.valid(until)}
      </Text>
      {link.webhook_secret === undefined ? null : (
        <>
          <Text size="sm" mt="sm">
            {texts.setupLinks.newSecret}
          </Text>
          <Value name={texts.settings.secret} value={link.webhook_secret} secret />
        </>
      )}
    </Stack>
  )
}
