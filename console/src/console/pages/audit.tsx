import { Alert, Button, Group } from '@mantine/core'
import { Link } from 'react-router'
import { request } from '../../api/http.ts'
import { adminApi, useAction, useRows } from '../../api/queries.ts'
import type { AuditEntry } from '../../api/types.ts'
import type { Texts } from '../../texts/en.ts'
import { useTexts } from '../../texts/texts.ts'
import { Icon } from '../../ui/icons.tsx'
import { isolated } from '../../ui/isolated.ts'
import { Name } from '../../ui/name.tsx'
import { PageHeader } from '../../ui/page.tsx'
import { Empty, Failure } from '../../ui/states.tsx'
import { PagedTable } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { AdminOnly } from '../admin-only.tsx'

const path = `${adminApi}/event`

/** Who did what, newest first. */
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

function Entries() {
  const texts = useTexts()
  const entries = useRows<AuditEntry>(path)
  return (
    <>
      <Verification />
      <PagedTable
        label={texts.audit.title}
        query={entries}
        keyOf={({ id }) => id}
        columns={[
          { title: texts.audit.action, cell: ({ action }) => <code>{action}</code> },
          { title: texts.audit.who, cell: (entry) => <Who entry={entry} /> },
          { title: texts.audit.target, cell: ({ target }) => <Target target={target} /> },
          { title: texts.audit.changes, cell: ({ changes }) => Object.keys(changes ?? {}).join(', ') || '–' },
          {
            title: texts.audit.from,
            cell: ({ address, erased }) => address ?? (erased.includes('address') ? texts.audit.erased : '–'),
          },
          { title: texts.audit.time, cell: ({ at }) => <Time at={at} /> },
        ]}
        empty={<Empty icon="audit" title={texts.audit.empty} />}
      />
    </>
  )
}

function Who({ entry: { actor, erased } }: { readonly entry: AuditEntry }) {
  const texts = useTexts()
  const nobody = erased.includes('actor.name') ? texts.audit.erased : texts.audit.unknown
  return <Name>{actor.name ?? nobody}</Name>
}

function Target({ target: { kind, id, tenant, product } }: Pick<AuditEntry, 'target'>) {
  const name = [tenant, product].flatMap((part) => (part === null ? [] : [isolated(part)])).join(' · ')
  if (kind === 'directory' && id !== null)
    return (
      <Link to={`/directories/${id}`}>
        <Name>{name || kind}</Name>
      </Link>
    )
  return <>{name === '' ? kind : `${kind} ${name}`}</>
}

interface Report {
  readonly ok: boolean
  readonly entries?: number
  readonly erased?: number
  readonly break?: { readonly sequence: number; readonly message: string }
}

function intactText({ audit }: Texts, { entries = 0, erased = 0 }: Report): string {
  return erased === 0 ? audit.intact(entries) : `${audit.intact(entries)} ${audit.erasedFrom(erased)}`
}

/** Checks that no entry was changed or removed. */
function Verification() {
  const texts = useTexts()
  const verify = useAction(async () => (await request<{ data: Report }>('GET', `${path}/verify`)).data, [])
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
            ? intactText(texts, verify.data)
            : texts.audit.broken(verify.data.break?.sequence ?? 0, verify.data.break?.message ?? '')}
        </Alert>
      )}
    </>
  )
}
