import { Flex, Stack, Title } from '@mantine/core'
import { Link, useParams } from 'react-router'
import { dsync, useData, useRows } from '../../../api/queries.ts'
import type { Group, Member } from '../../../api/types.ts'
import { useTexts } from '../../../texts/texts.ts'
import { Name } from '../../../ui/name.tsx'
import { Section } from '../../../ui/page.tsx'
import { Empty, Loaded } from '../../../ui/states.tsx'
import { PagedTable } from '../../../ui/table.tsx'
import { useDirectory } from './directory.tsx'
import { TimelineSection } from './user.tsx'
import { fullName } from './users.tsx'

/** One group, with its members page by page. */
export function GroupPage() {
  const texts = useTexts()
  const { groupId = '' } = useParams()
  const { id } = useDirectory()
  const group = useData<Group>(`${dsync}/groups/${groupId}`, { directoryId: id, members: 'false' })
  const members = useRows<Member>(`${dsync}/groups/${groupId}/members`, { directoryId: id, expand: 'user' })
  return (
    <Stack gap="lg">
      <Link to=".." relative="path" className="back">
        {texts.groups.back}
      </Link>
      <Flex justify="space-between" gap="sm">
        <Loaded query={group}>
          {({ name }) => (
            <Title order={2}>
              <bdi>{name}</bdi>
            </Title>
          )}
        </Loaded>
        <Link to={`../../events?resource=${groupId}`} relative="path">
          {texts.events.ofResource}
        </Link>
      </Flex>
      <Section title={texts.groups.members}>
        <PagedTable
          label={texts.groups.members}
          query={members}
          keyOf={({ user_id }) => user_id}
          columns={[
            { title: texts.groups.user, cell: (member) => <MemberName member={member} /> },
            { title: 'id', isSecondary: true, cell: ({ user_id }) => <code>{user_id}</code> },
          ]}
          empty={<Empty icon="user" title={texts.groups.noMembers} text={texts.groups.noMembersText} />}
        />
      </Section>
      <TimelineSection kind="groups" id={groupId} />
    </Stack>
  )
}

function MemberName({ member: { user_id: id, user } }: { readonly member: Member }) {
  return (
    <Link to={`../../users/${id}`} relative="path">
      <Name>{user === undefined ? id : fullName(user)}</Name>
    </Link>
  )
}
