import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { createContext, useContext, useEffect, useState } from 'react'
import type { ApiError } from '../api/http.ts'
import { basePath, sessionPath as path, request, whenSignedOut } from '../api/http.ts'
import type { Session } from '../api/types.ts'
import type { Texts } from '../texts/en.ts'
import { useTexts } from '../texts/texts.ts'
import { Failure } from '../ui/states.tsx'
import { readSession } from './early.ts'
import { SignIn } from './sign-in.tsx'
import { SigningIn } from './signing-in.tsx'

const providerPath = '/console/oidc'

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

/** Returns whether the session may change anything. */
export function useMayWrite(): boolean {
  return !useSession().scope.read_only
}

/** Ends the session; the page then asks to sign in, or the identity provider ends its own session. */
export function useSignOut(): () => Promise<void> {
  const client = useQueryClient()
  return async () => {
    const { data } = await request<{ data: { sign_out_url?: string } }>('DELETE', path)
    if (data.sign_out_url !== undefined) return window.location.assign(data.sign_out_url)
    client.setQueryData([path], null)
    // What the session has read is not shown to the next one.
    client.removeQueries({ predicate: ({ queryKey: [read] }) => read !== path && read !== providerPath })
  }
}

/** Takes the code of a sign-in link from the address, where it must not remain. */
function takeCode(): string | undefined {
  const code = new URLSearchParams(window.location.hash.slice(1)).get('code') ?? undefined
  if (code !== undefined) window.history.replaceState(null, '', window.location.pathname)
  return code
}

/** Takes the reason why the identity provider signed in nobody from the address. */
function takeRefusal(texts: Texts): string | undefined {
  const query = new URLSearchParams(window.location.search)
  const [refused, id] = [query.get('refused'), query.get('id')]
  if (refused === null) return undefined
  window.history.replaceState(null, '', window.location.pathname)
  const known: Readonly<Record<string, string>> = texts.signIn.refused
  const text = Object.hasOwn(known, refused) ? known[refused] : texts.signIn.refused.failed
  return id !== null && /^[\w-]{1,64}$/.test(id) ? `${text} ${texts.signIn.requestId(id)}` : text
}

const returnKey = 'rollcall-return'

/** Remembers the page that is open, for the return from the identity provider. */
export function rememberPage(): void {
  const { pathname, search } = window.location
  sessionStorage.setItem(returnKey, pathname + search)
}

/** Shows the page that was open before the sign-in with the identity provider. */
export function returnToPage(): void {
  const page = sessionStorage.getItem(returnKey)
  const { pathname, search } = window.location
  // A refused sign-in has a query, and may be repeated.
  if (page === null || pathname + search !== `${basePath()}/console`) return
  sessionStorage.removeItem(returnKey)
  window.history.replaceState(null, '', page)
}

async function signIn(credentials: Credentials): Promise<Session> {
  return (await request<{ data: Session }>('POST', path, credentials)).data
}

/** Shows the pages to whoever is signed in, and to others how to sign in. */
export function SignedIn({ children }: { readonly children: ReactNode }) {
  const client = useQueryClient()
  const [code, setCode] = useState(takeCode)
  const texts = useTexts()
  const [message, setMessage] = useState(() => takeRefusal(texts))
  const [hasEnded, setEnded] = useState(false)
  const session = useQuery<Session | null, ApiError>({
    queryKey: [path],
    queryFn: async () => {
      if (code === undefined) return readSession()
      setCode(undefined)
      return signIn({ code }).catch(async (error: ApiError) => {
        setMessage(error.message)
        return readSession()
      })
    },
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  const provider = useQuery<string | null, ApiError>({
    queryKey: [providerPath],
    queryFn: async () => (await request<{ data: { host: string | null } }>('GET', providerPath)).data.host,
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
  if (session.data === undefined || (session.data === null && provider.isPending)) return <SigningIn />
  if (session.data !== null) return <SessionContext value={session.data}>{children}</SessionContext>
  const enter = async (credentials: Credentials) => {
    client.setQueryData([path], await signIn(credentials))
    setEnded(false)
    setMessage(undefined)
  }
  return <SignIn signIn={enter} message={message} hasEnded={hasEnded} provider={provider.data ?? undefined} />
}
