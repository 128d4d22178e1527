import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { createContext, useContext, useEffect, useState } from 'react'
import type { ApiError } from '../api/http.ts'
import { sessionPath as path, request, whenSignedOut } from '../api/http.ts'
import type { Session } from '../api/types.ts'
import { Failure } from '../ui/states.tsx'
import { SignIn } from './sign-in.tsx'
import { SigningIn } from './signing-in.tsx'

/** An API key, the login of an admin, or the code of a sign-in link. */
export type Credentials =
  | { readonly api_key: string }
  | { readonly email: string; readonly root_token: string }
  | { readonly code: string }

const SessionContext = createContext<Session | undefined>(undefined)

/** Who is signed in. */
export function useSession(): Session {
  const session = useContext(SessionContext)
  if (session === undefined) throw new Error('there is no session outside the signed-in pages')
  return session
}

/** Whether the session may change anything. */
export function useMayWrite(): boolean {
  return !useSession().scope.read_only
}

/** Ends the session; the page then asks to sign in. */
export function useSignOut(): () => Promise<void> {
  const client = useQueryClient()
  return async () => {
    await request('DELETE', path)
    client.setQueryData([path], null)
    // What the session has read is not shown to the next one.
    client.removeQueries({ predicate: ({ queryKey: [read] }) => read !== path })
  }
}

/** Takes the code of a sign-in link from the address, where it must not remain. */
function takeCode(): string | undefined {
  const code = new URLSearchParams(window.location.hash.slice(1)).get('code') ?? undefined
  if (code !== undefined) window.history.replaceState(null, '', window.location.pathname)
  return code
}

async function signIn(credentials: Credentials): Promise<Session> {
  return (await request<{ data: Session }>('POST', path, credentials)).data
}

/** Shows the pages to whoever is signed in, and to others how to sign in. */
export function SignedIn({ children }: { readonly children: ReactNode }) {
  const client = useQueryClient()
  const [code, setCode] = useState(takeCode)
  const [message, setMessage] = useState<string>()
  const [hasEnded, setEnded] = useState(false)
  const session = useQuery<Session | null, ApiError>({
    queryKey: [path],
    queryFn: async () => {
      if (code === undefined) return (await request<{ data: Session | null }>('GET', path)).data
      setCode(undefined)
      return signIn({ code }).catch(async (error: ApiError) => {
        setMessage(error.message)
        return (await request<{ data: Session | null }>('GET', path)).data
      })
    },
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  useEffect(() => {
    whenSignedOut(() => {
      setEnded(true)
      client.setQueryData([path], null)
    })
  }, [client])

  if (session.error !== null) return <Failure error={session.error} retry={() => void session.refetch()} />
  if (session.data === undefined) return <SigningIn />
  if (session.data !== null) return <SessionContext value={session.data}>{children}</SessionContext>
  const enter = async (credentials: Credentials) => {
    client.setQueryData([path], await signIn(credentials))
    setEnded(false)
    setMessage(undefined)
  }
  return <SignIn signIn={enter} message={message} hasEnded={hasEnded} />
}
