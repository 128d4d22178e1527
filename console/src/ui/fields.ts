import { useState } from 'react'
import type { ApiError } from '../api/http.ts'

/**
 * The text fields of a form: what they contain, and the problem that the service found in each.
 *
 * @param initial what each field contains at first
 */
export function useFields<Name extends string>(initial: Readonly<Record<Name, string>>, error: ApiError | null) {
  const [values, setValues] = useState(initial)
  const trimmed = Object.entries<string>(values).map(([name, value]) => [name, value.trim()] as const)
  return {
    names: Object.keys(initial),
    /** The values that were entered, without empty fields. */
    filled: Object.fromEntries(trimmed.filter(([, value]) => value !== '')) as Partial<Record<Name, string>>,
    /** The properties of the input of a field. */
    field: (name: Name) => ({
      value: values[name],
      error: error?.problems.find(({ field }) => field === name)?.message,
      onChange: (event: { readonly currentTarget: { readonly value: string } }) => {
        const { value } = event.currentTarget
        setValues((before) => ({ ...before, [name]: value }))
      },
      autoComplete: 'off',
    }),
  }
}

/** The text fields of a form. */
export type Fields<Name extends string> = ReturnType<typeof useFields<Name>>
