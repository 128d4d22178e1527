import { Anchor } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import { useAction } from '../../../api/queries.ts'
import { useTexts } from '../../../texts/texts.ts'
import { Confirm } from '../../../ui/confirm.tsx'
import { Section } from '../../../ui/page.tsx'
import { AssignableRoles } from '../../assignable-roles.tsx'
import type { CreatedLink } from '../../new-setup-link.tsx'
import { createSetupLink, NewSetupLink, setupLinksPath } from '../../new-setup-link.tsx'
import { useDirectory } from './directory.tsx'

/** Makes a link for the customer's administrator. Its address is shown once: it is not stored. */
export function SetupLinkSection() {
  const texts = useTexts()
  const { id, tenant, product } = useDirectory()
  const [created, setCreated] = useState<CreatedLink>()
  const [roles, setRoles] = useState<string[]>([])
  const create = useAction(
    () => createSetupLink({ tenant, product, directoryId: id, roles, regenerate: true }),
    [setupLinksPath],
  )
  return (
    <Section
      id="setup-link"
      title={texts.settings.setupLink}
      description={texts.settings.setupLinkText}
      actions={
        <Confirm
          label={texts.settings.createSetupLink}
          icon="link"
          title={texts.settings.createSetupLinkTitle}
          consequences={texts.settings.createSetupLinkText}
          act={async () => setCreated(await create.mutateAsync(undefined))}
        >
          <AssignableRoles roles={roles} error={create.error} onChange={setRoles} />
        </Confirm>
      }
    >
      {created === undefined ? null : <NewSetupLink created={created} />}
      <Anchor component={Link} to={`/setup-links?directory=${id}`} size="sm">
        {texts.setupLinks.ofThisDirectory}
      </Anchor>
    </Section>
  )
}
