import { Button, Group, Stack, TextInput } from '@mantine/core'
import type { FormEvent } from 'react'
import { useState } from 'react'
import type { Person } from '../../api/privacy.ts'
import { useTexts } from '../../texts/texts.ts'
import { useFields } from '../../ui/fields.ts'
import { Icon } from '../../ui/icons.tsx'
import { PageHeader } from '../../ui/page.tsx'
import { useSession } from '../session.tsx'
import { Erasures } from './erasures.tsx'
import { HeldData } from './held-data.tsx'

/** The person who was looked up last, and the number of look-ups. */
interface Asked {
  readonly person: Person
  readonly times: number
}

/** Shows the data that is held about a person, to export or erase it. The address never says who it is: browsers and proxies keep it. */
export function PrivacyPage() {
  const texts = useTexts()
  const { scope } = useSession()
  const fields = useFields({ tenant: scope.tenant ?? '', product: scope.product ?? '', subject: '' }, null)
  const [asked, setAsked] = useState<Asked>()
  const { tenant, product, subject } = fields.filled
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (tenant === undefined || product === undefined || subject === undefined) return
    setAsked((before) => ({ person: { tenant, product, subject }, times: (before?.times ?? 0) + 1 }))
  }
  return (
    <>
      <PageHeader title={texts.privacy.title} description={texts.privacy.description} />
      <form onSubmit={submit}>
        <Group align="flex-end" gap="sm" mb="lg">
          <TextInput
            label={texts.directories.tenant}
            required
            readOnly={scope.tenant !== null}
            {...fields.field('tenant')}
          />
          <TextInput
            label={texts.directories.product}
            required
            readOnly={scope.product !== null}
            {...fields.field('product')}
          />
          <TextInput
            type="search"
            label={texts.privacy.subject}
            placeholder={texts.privacy.subjectHint}
            required
            className="grow"
            {...fields.field('subject')}
          />
          <Button type="submit" leftSection={<Icon name="search" />}>
            {texts.privacy.look}
          </Button>
        </Group>
      </form>
      <Stack gap="lg">
        {asked === undefined ? null : <HeldData key={asked.times} person={asked.person} />}
        <Erasures tenant={tenant ?? ''} product={product ?? ''} />
      </Stack>
    </>
  )
}
