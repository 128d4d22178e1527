import { Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { dsync, send, useAction } from '../../../api/queries.ts'
import { useTexts } from '../../../texts/texts.ts'
import { Confirm } from '../../../ui/confirm.tsx'
import { Value } from '../../../ui/copy.tsx'
import { Section } from '../../../ui/page.tsx'
import { fullTime } from '../../../ui/time.tsx'
import { useDirectory } from './directory.tsx'

interface SetupLink {
  readonly url: string
  readonly validTill: number
}

/** Makes a link for the customer's administrator. Its address is shown once: it is not stored. */
export function SetupLinkSection() {
  const texts = useTexts()
  const { id, tenant, product } = useDirectory()
  const [link, setLink] = useState<SetupLink>()
  const create = useAction(
    () => send<SetupLink>('POST', `${dsync}/setuplinks`, { tenant, product, directoryId: id, regenerate: true }),
    [],
  )
  return (
    <Section
      title={texts.settings.setupLink}
      description={texts.settings.setupLinkText}
      actions={
        <Confirm
          label={texts.settings.createSetupLink}
          icon="link"
          title={texts.settings.createSetupLinkTitle}
          consequences={texts.settings.createSetupLinkText}
          act={async () => setLink(await create.mutateAsync(undefined))}
        />
      }
    >
      {link === undefined ? null : (
        <Stack gap={4}>
          <Value name={texts.settings.setupLink} value={link.url} />
          <Text size="sm" c="dimmed">
            {texts.settings.setupLinkValid(fullTime(new Date(link.validTill).toISOString(), texts.language))}
          </Text>
        </Stack>
      )}
    </Section>
  )
}
