import { Text } from '@mantine/core'
import { send, useAction, useRows } from '../../api/queries.ts'
import { useTexts } from '../../texts/texts.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { isolated } from '../../ui/isolated.ts'
import { Name } from '../../ui/name.tsx'
import { Empty } from '../../ui/states.tsx'
import { PagedTable } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'

/** A sign-in of an admin, who has a `user`, or to the console with an API key. */
interface SignIn {
  readonly id: string
  readonly user?: { readonly email: string }
  readonly key?: { readonly name: string }
  readonly disabled?: boolean
  readonly created_at: string
  readonly last_used_at: string
  readonly is_current: boolean
}

interface SignInsProps {
  readonly path: string
  readonly label: string
  readonly who: string
}

/** A list of sign-ins, which can be ended; one's own is marked. */
export function SignIns({ path, label, who }: SignInsProps) {
  const { admins } = useTexts()
  const signIns = useRows<SignIn>(path)
  const end = useAction((id: string) => send('DELETE', `${path}/${id}`), [path])
  const nameOf = ({ user, key }: SignIn) => user?.email ?? key?.name ?? ''
  return (
    <PagedTable
      label={label}
      query={signIns}
      keyOf={({ id }) => id}
      columns={[
        { title: who, cell: (signIn) => <Name>{nameOf(signIn)}</Name> },
        { title: admins.signedIn, cell: ({ created_at: at }) => <Time at={at} /> },
        { title: admins.lastUsed, cell: ({ last_used_at: at }) => <Time at={at} /> },
        {
          title: admins.end,
          cell: (signIn) =>
            signIn.is_current || signIn.disabled === true ? (
              <Text span size="sm" c="dimmed">
                {signIn.is_current ? admins.current : admins.ended}
              </Text>
            ) : (
              <Confirm
                label={admins.end}
                icon="signOut"
                title={admins.endTitle(isolated(nameOf(signIn)))}
                consequences={signIn.key === undefined ? admins.endText : admins.endKeyText}
                dangerous
                act={() => end.mutateAsync(signIn.id)}
              />
            ),
        },
      ]}
      empty={<Empty icon="admin" title={admins.empty} />}
    />
  )
}
