import { TagsInput } from '@mantine/core'
import type { ApiError } from '../api/http.ts'
import { useTexts } from '../texts/texts.ts'

/** The most roles of a setup link. */
const maxRoles = 20

interface AssignableRolesProps {
  readonly roles: readonly string[]
  readonly error?: ApiError | null
  readonly onChange: (roles: string[]) => void
}

/** Asks for the roles that the customer may give to groups with a setup link. */
export function AssignableRoles({ roles, error, onChange }: AssignableRolesProps) {
  const texts = useTexts()
  return (
    <TagsInput
      label={`${texts.setupLinks.assignableRoles} (${texts.forms.optional})`}
      description={texts.setupLinks.assignableRolesHint}
      maxTags={maxRoles}
      value={[...roles]}
      error={error?.problems.find(({ field }) => field === 'roles')?.message}
      onChange={onChange}
      autoComplete="off"
    />
  )
}
