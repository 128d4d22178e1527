import { dsync, useData } from '../api/queries.ts'

/** The name of an identity provider. */
export function ProviderName({ type }: { readonly type: string }) {
  const providers = useData<Readonly<Record<string, string>>>(`${dsync}/providers`)
  return <>{providers.data?.[type] ?? type}</>
}
