import { Button, Group, Table, Text } from '@mantine/core'
import { Link } from 'react-router'
import type { MappingPreview, RoleReason } from '../../api/types.ts'
import { useTexts } from '../../texts/texts.ts'
import { Name } from '../../ui/name.tsx'
import { Failure, LoadingRows } from '../../ui/states.tsx'
import { DataTable } from '../../ui/table.tsx'
import type { Remarks } from './problems.ts'
import { reasonText } from './reason-text.ts'
import { RemarkList } from './rule-line.tsx'
import type { Preview } from './use-preview.ts'

type ChangedUser = MappingPreview['users'][number]

interface PreviewNumbersProps {
  readonly preview: Preview
  readonly remarks: Remarks
}

/** The numbers of changes that the draft would make. Problems of the draft are shown at its parts. */
export function PreviewNumbers({ preview: { numbers, error, isUpdating, refetch }, remarks }: PreviewNumbersProps) {
  const texts = useTexts()
  const { changed = 0, evaluated = 0, roles = {}, attributes = {} } = numbers ?? {}
  const atRules = [...remarks.rules.values()].flat().filter(({ isWarning }) => isWarning).length
  return (
    <>
      <Text size="sm" fw={550} role="status" className="preview-sentence" data-updating={isUpdating}>
        {isUpdating ? texts.roles.updating : numbers === undefined ? '' : texts.roles.changes(changed, evaluated)}
        {!isUpdating && numbers === undefined && error?.status === 400 ? texts.roles.notPossible : null}
      </Text>
      {error === null || error.status === 400 || isUpdating ? null : (
        <Failure error={error} retry={() => void refetch()} />
      )}
      <RemarkList remarks={remarks.others} />
      {atRules === 0 ? null : (
        <Text size="sm" c="dimmed">
          {texts.roles.warnings(atRules)}
        </Text>
      )}
      {numbers === undefined ? null : (
        <div className="preview-numbers" data-updating={isUpdating}>
          <RoleCounts roles={roles} />
          <AttributeCounts attributes={attributes} />
        </div>
      )}
      {numbers === undefined && isUpdating ? <LoadingRows rows={3} /> : null}
    </>
  )
}

function RoleCounts({ roles }: { readonly roles: NonNullable<MappingPreview['roles']> }) {
  const texts = useTexts()
  const rows = Object.entries(roles)
  if (rows.length === 0) return null
  const signed = (sign: string, count: number) => (count === 0 ? '–' : `${sign}${count.toLocaleString(texts.language)}`)
  return (
    <Table className="counts" aria-label={texts.roles.preview}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">{texts.roles.role}</Table.Th>
          <Table.Th scope="col" ta="right">
            {texts.roles.gains}
          </Table.Th>
          <Table.Th scope="col" ta="right">
            {texts.roles.loses}
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map(([role, { gain, lose }]) => (
          <Table.Tr key={role}>
            <Table.Th scope="row">
              <Name>{role}</Name>
            </Table.Th>
            <Table.Td ta="right" className={gain > 0 ? 'gained' : undefined}>
              {signed('+', gain)}
            </Table.Td>
            <Table.Td ta="right" className={lose > 0 ? 'lost' : undefined}>
              {signed('−', lose)}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

function AttributeCounts({ attributes }: { readonly attributes: NonNullable<MappingPreview['attributes']> }) {
  const texts = useTexts()
  const rows = Object.entries(attributes)
  if (rows.length === 0) return null
  return (
    <ul className="plain-list">
      {rows.map(([name, users]) => (
        <li key={name}>{texts.roles.attributeChanges(name, users)}</li>
      ))}
    </ul>
  )
}

/** The users who would change, page by page: before, after and why. */
export function ChangedUsers({ preview }: { readonly preview: Preview }) {
  const texts = useTexts()
  const { users, hasNextPage, isFetchingNextPage, fetchNextPage } = preview
  if (users.length === 0) return null
  return (
    <>
      <DataTable
        label={texts.roles.changedUsers}
        rows={users}
        keyOf={({ directory_id, id }) => `${directory_id}/${id}`}
        columns={[
          {
            title: texts.groups.user,
            cell: ({ directory_id: directory, id, email }) => (
              <Link to={`/directories/${directory}/users/${encodeURIComponent(id)}`}>
                <Name>{email}</Name>
              </Link>
            ),
          },
          { title: texts.roles.before, cell: ({ before }) => <RoleNames roles={before.roles} /> },
          { title: texts.roles.after, cell: (user) => <After user={user} /> },
          { title: texts.roles.why, cell: ({ because }) => <Reasons because={because} /> },
        ]}
      />
      <Group justify="space-between" mt="sm">
        <Text size="xs" c="dimmed" role="status">
          {texts.lists.shown(users.length, hasNextPage)}
        </Text>
        {hasNextPage ? (
          <Button size="xs" variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {texts.lists.more}
          </Button>
        ) : null}
      </Group>
    </>
  )
}

function RoleNames({ roles, before }: { readonly roles: readonly string[]; readonly before?: readonly string[] }) {
  const texts = useTexts()
  if (roles.length === 0) return <span className="muted">{texts.roles.noRole}</span>
  return (
    <span className="role-names">
      {roles.map((role) => (
        <span key={role} className={before === undefined || before.includes(role) ? undefined : 'gained'}>
          <Name>{role}</Name>
        </span>
      ))}
    </span>
  )
}

function After({ user: { before, after } }: { readonly user: ChangedUser }) {
  const names = [...new Set([...Object.keys(before.attributes), ...Object.keys(after.attributes)])]
  const changed = names.filter((name) => before.attributes[name] !== after.attributes[name])
  return (
    <>
      <RoleNames roles={after.roles} before={before.roles} />
      {changed.length === 0 ? null : (
        <ul className="differences">
          {changed.map((name) => (
            <li key={name}>
              <span>{name}</span>
              <del>{String(before.attributes[name] ?? '–')}</del>
              <ins>{String(after.attributes[name] ?? '–')}</ins>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

function Reasons({ because }: { readonly because: readonly RoleReason[] }) {
  const texts = useTexts()
  if (because.length === 0) return '–'
  return (
    <ul className="plain-list">
      {because.map((reason) => (
        <li key={`${reason.role} ${reason.rule} ${reason.group?.id} ${reason.filter}`}>
          <strong>{reason.role}</strong> {reasonText(reason, texts.roles)}
        </li>
      ))}
    </ul>
  )
}
