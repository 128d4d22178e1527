import { TextInput } from '@mantine/core'
import { useTexts } from '../texts/texts.ts'
import type { Fields } from '../ui/fields.ts'
import { useSession } from './session.tsx'

interface ScopeFieldsProps {
  readonly fields: Fields<'tenant' | 'product' | 'name'>
  readonly nameHint: string
}

/** The initial values of these fields: the scope of the session. */
export function useScope() {
  const { scope } = useSession()
  return { tenant: scope.tenant ?? '', product: scope.product ?? '', name: '' }
}

/** The fields that say whom a new directory or setup link is for. */
export function ScopeFields({ fields: { field }, nameHint }: ScopeFieldsProps) {
  const texts = useTexts()
  const { scope } = useSession()
  return (
    <>
      <TextInput
        label={texts.directories.tenant}
        description={texts.directories.tenantHint}
        required
        data-autofocus
        readOnly={scope.tenant !== null}
        {...field('tenant')}
      />
      <TextInput
        label={texts.directories.product}
        description={texts.directories.productHint}
        required
        readOnly={scope.product !== null}
        {...field('product')}
      />
      <TextInput
        label={`${texts.directories.name} (${texts.forms.optional})`}
        description={nameHint}
        {...field('name')}
      />
    </>
  )
}
