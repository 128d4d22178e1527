import { Alert, Button, Group, NativeSelect, TextInput } from '@mantine/core'
import { Link } from 'react-router'
import { auditActions } from '../../../../src/directory/audit.ts'
import { request } from '../../api/http.ts'
import { adminApi, useAction, useRows } from '../../api/queries.ts'
import type { AuditChain, AuditEntry } from '../../api/types.ts'
import { useTexts } from '../../texts/texts.ts'
import { Icon } from '../../ui/icons.tsx'
import { Name } from '../../ui/name.tsx'
import { PageHeader } from '../../ui/page.tsx'
import { Empty, Failure } from '../../ui/states.tsx'
import { PagedTable } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { useAddressFilters } from '../address-filters.ts'
import { AdminOnly } from '../admin-only.tsx'
import { DirectoryChoice } from '../directory-choice.tsx'
import { ScopeInputs } from '../scope-inputs.tsx'
import { Target, Who } from './audit-entry.tsx'

const path = `${adminApi}/event`

/** The entries of the audit trail, newest first. */
export function AuditPage() {
  const texts = useTexts()
  return (
    <>
      <PageHeader title={texts.audit.title} description={texts.audit.description} />
      <AdminOnly>
        <Entries />
      </AdminOnly>
    </>
  )
}

const names = ['actor_name', 'action', 'target_id', 'tenant', 'product', 'from', 'to'] as const

/** The entries that match the filters, which the address has as the API takes them; days are those of UTC. */
function Entries() {
  const texts = useTexts()
  const { audit } = texts
  const { filters, settled, set, clear } = useAddressFilters(names)
  const entries = useRows<AuditEntry>(path, { ...settled, to: settled.to && `${settled.to}T23:59:59.999Z` })
  const isFiltered = names.some((name) => settled[name] !== '')
  const input = (name: 'actor_name' | 'from' | 'to', type: string, label: string) => (
    <TextInput
      type={type}
      aria-label={label}
      placeholder={label}
      leftSection={type === 'date' ? label : undefined}
      leftSectionWidth={56}
      value={filters[name]}
      onChange={({ currentTarget }) => set({ [name]: currentTarget.value })}
    />
  )
  return (
    <>
      <Verification />
      <Group mb="md" gap="sm" align="flex-end">
        {input('actor_name', 'search', audit.actorName)}
        <NativeSelect
          aria-label={audit.action}
          value={filters.action}
          onChange={({ currentTarget }) => set({ action: currentTarget.value })}
          data={[
            { value: '', label: audit.anyAction },
            ...auditActions.map((value) => ({ value, label: audit.readable(value) })),
          ]}
        />
        <DirectoryChoice
          label={texts.explain.directory}
          placeholder={texts.explain.anyDirectory}
          value={filters.target_id}
          onChange={(id) => set({ target_id: id })}
        />
        <ScopeInputs filters={filters} set={set} />
        {input('from', 'date', audit.since)}
        {input('to', 'date', audit.until)}
        {isFiltered ? (
          <Button variant="subtle" size="compact-sm" onClick={clear}>
            {texts.directories.clear}
          </Button>
        ) : null}
      </Group>
      <PagedTable
        label={audit.title}
        query={entries}
        keyOf={({ id }) => id}
        columns={[
          {
            title: audit.action,
            cell: ({ sequence, action }) => <Link to={`/audit/${sequence}`}>{audit.readable(action)}</Link>,
          },
          { title: audit.who, cell: (entry) => <Who entry={entry} /> },
          { title: audit.target, cell: (entry) => <Target entry={entry} /> },
          {
            title: audit.changes,
            cell: ({ changes }) => <Name>{audit.names(Object.keys(changes ?? {}))}</Name>,
            isSecondary: true,
          },
          { title: audit.time, cell: ({ at }) => <Time at={at} /> },
        ]}
        empty={
          <Empty
            icon="audit"
            title={isFiltered ? audit.noMatch : audit.empty}
            text={isFiltered ? audit.noMatchText : undefined}
          />
        }
      />
    </>
  )
}

/** Checks that no entry was changed or removed. */
function Verification() {
  const texts = useTexts()
  const verify = useAction(async () => (await request<{ data: AuditChain }>('GET', `${path}/verify`)).data, [])
  return (
    <>
      <Group justify="flex-end" mb="md" gap="xs">
        <Button component="a" href={`${path}/export`} download="rollcall-audit.ndjson" size="xs" variant="default">
          {texts.audit.export}
        </Button>
        <Button
          size="xs"
          variant="default"
          leftSection={<Icon name="audit" />}
          loading={verify.isPending}
          onClick={() => verify.mutate(undefined)}
        >
          {texts.audit.verify}
        </Button>
      </Group>
      {verify.error === null ? null : <Failure error={verify.error} />}
      {verify.data === undefined ? null : (
        <Alert
          color={verify.data.ok ? 'teal' : 'red'}
          icon={<Icon name={verify.data.ok ? 'check' : 'warning'} />}
          mb="md"
          role="status"
        >
          {verify.data.ok
            ? `${texts.audit.intact(verify.data.entries)} ${texts.audit.erasedFrom(verify.data.erased)}`
            : texts.audit.broken(verify.data.break.sequence, verify.data.break.message)}
        </Alert>
      )}
    </>
  )
}
