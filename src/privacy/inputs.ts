import { CreateDirectoryInput, DefaultPagingInput, ScopeInput } from '../directory/inputs.ts'
import type { Static } from '../inputs/json-schema.ts'
import { Type } from '../inputs/json-schema.ts'

const { tenant, product } = CreateDirectoryInput.properties

/** Whose personal data is meant. */
export const PersonInput = Type.Object(
  {
    tenant,
    product,
    subject: Type.String({
      description:
        'subject: the id, userName, externalId or an e-mail address of a user who exists or was deleted; 1 to 512 characters, without control characters.',
      minLength: 1,
      maxLength: 512,
      pattern: '^[^\\p{Cc}\\p{Cs}]+$',
    }),
  },
  { title: 'PersonInput', examples: [{ tenant: 'acme', product: 'crm', subject: 'bjensen@acme.example' }] },
)
export type PersonInput = Static<typeof PersonInput>

/** The person to erase. */
export const EraseInput = Type.Object(
  {
    ...PersonInput.properties,
    reason: Type.Optional(
      Type.String({
        description:
          'reason: why, for the list of erasures, such as the number of a ticket; at most 500 characters, without control characters and without data about the person.',
        maxLength: 500,
        pattern: '^[^\\p{Cc}\\p{Cs}]*$',
      }),
    ),
    dry_run: Type.Optional(
      Type.Boolean({ description: 'dry_run: true or false; true: counts what would be erased, and changes nothing.' }),
    ),
  },
  {
    title: 'EraseInput',
    examples: [{ tenant: 'acme', product: 'crm', subject: 'bjensen@acme.example', dry_run: true }],
  },
)
export type EraseInput = Static<typeof EraseInput>

/** A page of the erasures of a tenant and product, of a directory, or of all, newest first. */
export const ErasuresInput = Type.Object({ ...ScopeInput.properties, ...DefaultPagingInput.properties })
