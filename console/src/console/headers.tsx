import { Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useTexts } from '../texts/texts.ts'
import { EditableList } from '../ui/editable-list.tsx'

/** A header of the requests to an endpoint. */
export interface Header {
  readonly name: string
  readonly value: string
}

/** The values of headers by their names, as the service expects them. */
export function valuesOf(headers: readonly Header[]): Readonly<Record<string, string>> {
  return Object.fromEntries(headers.map(({ name, value }) => [name.trim(), value.trim()]))
}

interface HeadersProps {
  readonly headers: readonly Header[]
  readonly error: string | undefined
  readonly onChange: (headers: readonly Header[]) => void
}

/** Asks for the headers that every request to an endpoint has. */
export function Headers({ headers, error, onChange }: HeadersProps) {
  const { settings } = useTexts()
  return (
    <Stack gap="xs" mt="md">
      <Text size="sm">{settings.headersHint}</Text>
      <EditableList
        label={settings.headers}
        items={headers}
        nameOf={({ name }, index) => name || settings.headerNumber(index + 1)}
        onChange={onChange}
        addLabel={settings.addHeader}
        newItem={() => ({ name: '', value: '' })}
      >
        {(header, index, change) => <HeaderFields header={header} index={index} change={change} />}
      </EditableList>
      {error === undefined ? null : (
        <Text size="sm" c="red" role="alert">
          {error}
        </Text>
      )}
    </Stack>
  )
}

interface HeaderFieldsProps {
  readonly header: Header
  readonly index: number
  readonly change: (header: Header) => void
}

/** The name of a header and its value, which is never shown again. */
function HeaderFields({ header, index, change }: HeaderFieldsProps) {
  const { settings } = useTexts()
  return (
    <Group gap="sm" align="flex-end">
      <TextInput
        label={`${settings.headerNumber(index + 1)}: ${settings.headerName}`}
        placeholder="X-Gateway-Key"
        value={header.name}
        onChange={(event) => change({ ...header, name: event.currentTarget.value })}
        className="grow"
      />
      <PasswordInput
        label={`${settings.headerNumber(index + 1)}: ${settings.headerValue}`}
        value={header.value}
        onChange={(event) => change({ ...header, value: event.currentTarget.value })}
        className="grow"
        autoComplete="off"
      />
    </Group>
  )
}
