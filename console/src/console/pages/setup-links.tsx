import { Anchor, Button, Group, Text, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Link } from 'react-router'
import type { Query } from '../../api/http.ts'
import { send, useAction, useRows } from '../../api/queries.ts'
import type { SetupLink } from '../../api/types.ts'
import { useTexts } from '../../texts/texts.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { Icon } from '../../ui/icons.tsx'
import { isolated } from '../../ui/isolated.ts'
import { Name } from '../../ui/name.tsx'
import { PageHeader } from '../../ui/page.tsx'
import { Empty } from '../../ui/states.tsx'
import { SetupLinkStatus } from '../../ui/status.tsx'
import { PagedTable } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { useAddressFilters } from '../address-filters.ts'
import { setupLinksPath } from '../new-setup-link.tsx'
import { useMayWrite, useSession } from '../session.tsx'
import { TenantLink } from '../tenant-link.tsx'
import { CreateSetupLink } from './create-setup-link.tsx'

/** All setup links with their states; those of one directory if the address names it. */
export function SetupLinksPage() {
  const texts = useTexts()
  const mayWrite = useMayWrite()
  const { filters, settled, set } = useAddressFilters(['tenant', 'directory'])
  const { directory: directoryId, tenant } = settled
  const [opened, { open, close }] = useDisclosure(false)
  return (
    <>
      <PageHeader
        title={texts.setupLinks.title}
        description={texts.setupLinks.description}
        actions={
          mayWrite ? (
            <Button size="sm" leftSection={<Icon name="plus" />} onClick={open}>
              {texts.setupLinks.create}
            </Button>
          ) : undefined
        }
      />
      {directoryId === '' ? (
        <TextInput
          label={texts.setupLinks.onlyTenant}
          maw={320}
          mb="md"
          autoComplete="off"
          value={filters.tenant}
          onChange={(event) => set({ tenant: event.currentTarget.value })}
        />
      ) : (
        <Group gap="xs" mb="md">
          <Text size="sm">{texts.setupLinks.ofDirectory}</Text>
          <Anchor component={Link} to="/setup-links" size="sm">
            {texts.setupLinks.showAll}
          </Anchor>
        </Group>
      )}
      <SetupLinkTable filter={{ directoryId, tenant }} />
      <CreateSetupLink opened={opened} close={close} />
    </>
  )
}

/** The setup links of a directory or tenant, or all. */
export function SetupLinkTable({ filter }: { readonly filter: Query }) {
  const texts = useTexts()
  const mayWrite = useMayWrite()
  const links = useRows<SetupLink>(`${setupLinksPath}/all`, filter)
  return (
    <PagedTable
      label={texts.setupLinks.title}
      query={links}
      keyOf={({ setupID }) => setupID}
      columns={[
        { title: texts.directories.tenant, cell: (link) => <Customer link={link} /> },
        { title: texts.directories.product, cell: ({ product }) => <Name>{product}</Name> },
        { title: texts.directories.state, cell: (link) => <State link={link} /> },
        { title: texts.setupLinks.types, cell: (link) => <Types link={link} />, isSecondary: true },
        { title: texts.setupLinks.created, cell: ({ created_at }) => <Time at={created_at} />, isSecondary: true },
        { title: texts.setupLinks.expires, cell: ({ validTill }) => <Time at={new Date(validTill).toISOString()} /> },
        ...(mayWrite
          ? [{ title: texts.setupLinks.revoke, cell: (link: SetupLink) => <RevokeLink link={link} /> }]
          : []),
      ]}
      empty={<Empty icon="link" title={texts.setupLinks.empty} text={texts.setupLinks.emptyText} />}
    />
  )
}

/** The tenant, with the name that its directory has or will get, and the way to it. */
function Customer({ link: { tenant, name, directoryId } }: { readonly link: SetupLink }) {
  const texts = useTexts()
  const isNamed = name !== null || directoryId !== null
  const label = <Name>{name ?? texts.search.types.directory}</Name>
  return (
    <>
      <TenantLink tenant={tenant} />
      {isNamed ? ' · ' : null}
      {directoryId === null ? isNamed && label : <Link to={`/directories/${directoryId}`}>{label}</Link>}
    </>
  )
}

function State({ link: { state, opened_at: openedAt, used_at: usedAt } }: { readonly link: SetupLink }) {
  const at = usedAt ?? openedAt
  return (
    <Group gap="xs">
      <SetupLinkStatus state={state} />
      {at === null || (state !== 'used' && state !== 'opened') ? null : <Time at={at} />}
    </Group>
  )
}

/** The identity providers to choose from, and the roles that the customer may give to groups. */
function Types({ link: { types, roles } }: { readonly link: SetupLink }) {
  const texts = useTexts()
  const { setup_types: offered } = useSession()
  const labelOf = (type: string) => offered.find((one) => one.type === type)?.label.replace(/ SCIM v2\.0$/, '') ?? type
  return (
    <>
      {types === null ? texts.setupLinks.anyType : types.map(labelOf).join(', ')}
      {roles === null ? null : (
        <Text size="sm" c="dimmed">
          {texts.setupLinks.roles(isolated(roles.join(', ')))}
        </Text>
      )}
    </>
  )
}

function RevokeLink({ link: { setupID, state, tenant } }: { readonly link: SetupLink }) {
  const texts = useTexts()
  const revoke = useAction(() => send('DELETE', `${setupLinksPath}?id=${setupID}`), [setupLinksPath])
  if (state === 'revoked' || state === 'expired') return null
  return (
    <Confirm
      label={texts.setupLinks.revoke}
      icon="trash"
      title={texts.setupLinks.revokeTitle(isolated(tenant))}
      consequences={texts.setupLinks.revokeText}
      dangerous
      act={() => revoke.mutateAsync(undefined)}
    />
  )
}
