import { Stack } from '@mantine/core'
import { Link, useParams } from 'react-router'
import { adminApi, useData } from '../../api/queries.ts'
import type { AuditEntry } from '../../api/types.ts'
import { useTexts } from '../../texts/texts.ts'
import { Value } from '../../ui/copy.tsx'
import { isolated } from '../../ui/isolated.ts'
import { Name } from '../../ui/name.tsx'
import { Fact, Facts, PageHeader, Section } from '../../ui/page.tsx'
import { Loaded } from '../../ui/states.tsx'
import { DataTable } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { AdminOnly } from '../admin-only.tsx'
import { useSession } from '../session.tsx'

/** One entry of the audit trail, with the old and new values. */
export function EntryPage() {
  const enabled = useSession().kind === 'admin'
  const entry = useData<AuditEntry>(`${adminApi}/event/${useParams()['sequence']}`, {}, { enabled })
  return (
    <AdminOnly>
      <Loaded query={entry}>{(found) => <Entry entry={found} />}</Loaded>
    </AdminOnly>
  )
}

function Entry({ entry }: { readonly entry: AuditEntry }) {
  const { audit } = useTexts()
  const { sequence, at, action, actor, target, address, erased, request_id: requestId } = entry
  const back = (
    <Link to="/audit" className="back">
      {audit.back}
    </Link>
  )
  return (
    <>
      <PageHeader title={audit.readable(action)} above={back} />
      <Stack gap="lg">
        <Section title={audit.entry(sequence)}>
          <Facts wide>
            <Fact name={audit.time}>
              <Time at={at} exact />
            </Fact>
            <Fact name={audit.who}>
              <Who entry={entry} /> · {audit.readable(actor.kind)}
              {actor.name === null ? null : <Others filter={{ actor_name: actor.name }} text={audit.ofActor} />}
            </Fact>
            <Fact name={audit.target}>
              <Target entry={entry} />
              {target.id === null ? null : <Others filter={{ target_id: target.id }} text={audit.ofTarget} />}
            </Fact>
            <Fact name={audit.from}>{address ?? (erased.includes('address') ? audit.erased : '–')}</Fact>
            <Fact name={audit.request}>
              {requestId === null ? '–' : <Value name={audit.request} value={requestId} />}
            </Fact>
          </Facts>
        </Section>
        <Changes entry={entry} />
      </Stack>
    </>
  )
}

function Others({ filter, text }: { readonly filter: Readonly<Record<string, string>>; readonly text: string }) {
  return (
    <div>
      <Link to={`/audit?${new URLSearchParams(filter)}`}>{text}</Link>
    </div>
  )
}

export function Who({ entry: { actor, erased } }: { readonly entry: AuditEntry }) {
  const { audit } = useTexts()
  return <Name>{actor.name ?? (erased.includes('actor.name') ? audit.erased : audit.unknown)}</Name>
}

/** What an entry is about: a directory by its name, with a link while it exists. */
export function Target({ entry: { target } }: { readonly entry: AuditEntry }) {
  const { audit } = useTexts()
  const { kind, id, name, tenant, product, is_deleted: isDeleted } = target
  const isDirectory = kind === 'directory'
  const shown = <Name>{isDirectory ? (name ?? audit.readable(kind)) : audit.readable(kind)}</Name>
  const scope = [tenant, product].flatMap((part) => (part === null ? [] : [isolated(part)]))
  return (
    <div>
      {isDirectory && !isDeleted ? <Link to={`/directories/${id}`}>{shown}</Link> : shown}
      {isDeleted ? ` ${audit.deleted}` : null}
      {scope.length === 0 ? null : <div className="muted">{scope.join(' · ')}</div>}
    </div>
  )
}

function Changes({ entry: { changes, erased } }: { readonly entry: AuditEntry }) {
  const { audit } = useTexts()
  const gone = erased.flatMap((name) => (/^changes\../.test(name) ? [[name.slice(8), { from: audit.erased }]] : []))
  const rows = [...Object.entries(changes ?? {}), ...gone] as [string, { from?: unknown; to?: unknown }][]
  if (rows.length === 0) return null
  return (
    <Section title={audit.changes} description={audit.changesText}>
      <DataTable
        label={audit.changes}
        rows={rows}
        keyOf={([field]) => field}
        columns={[
          { title: audit.field, cell: ([field]) => audit.readable(field) },
          { title: audit.before, cell: ([, { from }]) => <Changed value={from} /> },
          { title: audit.after, cell: ([, { to }]) => <Changed value={to} /> },
        ]}
      />
    </Section>
  )
}

/** A value in full. Of a secret, the trail only says whether there was one. */
function Changed({ value }: { readonly value: unknown }) {
  const { audit } = useTexts()
  const words = value === null || value === undefined ? audit.none : audit.values[String(value)]
  if (words !== undefined) return <span className="muted">{words}</span>
  return <bdi>{valueText(value, audit.readable)}</bdi>
}

/** Limits are recorded as JSON. */
function valueText(value: unknown, readable: (name: string) => string): string {
  if (typeof value === 'string' && /^\{"percent":\d/.test(value)) return valueText(JSON.parse(value), readable)
  if (Array.isArray(value)) return value.join(', ')
  if (typeof value !== 'object' || value === null) return String(value)
  const parts = Object.entries(value).map(([name, part]) => `${readable(name)}: ${part ?? '–'}`)
  return parts.join(', ')
}
