import { Text } from '@mantine/core'
import { adminApi, useData } from '../../api/queries.ts'
import type { ServiceSetting } from '../../api/types.ts'
import { useTexts } from '../../texts/texts.ts'
import { PageHeader } from '../../ui/page.tsx'
import { Loaded, LoadingRows } from '../../ui/states.tsx'
import { DataTable } from '../../ui/table.tsx'
import { AdminOnly } from '../admin-only.tsx'

/** The settings of the process that answers, read-only. */
export function ConfigurationPage() {
  const texts = useTexts()
  return (
    <>
      <PageHeader title={texts.configuration.title} description={texts.configuration.description} />
      <AdminOnly>
        <Settings />
      </AdminOnly>
    </>
  )
}

function Settings() {
  const texts = useTexts()
  const settings = useData<readonly ServiceSetting[]>(`${adminApi}/settings`)
  return (
    <Loaded query={settings} loading={<LoadingRows />}>
      {(rows) => (
        <DataTable
          label={texts.configuration.title}
          rows={rows}
          keyOf={({ name }) => name}
          columns={[
            { title: texts.configuration.name, cell: ({ name }) => <code>{name}</code> },
            { title: texts.configuration.value, cell: (setting) => <SettingValue setting={setting} /> },
            { title: texts.configuration.meaning, cell: ({ meaning }) => <Text size="sm">{meaning}</Text> },
          ]}
        />
      )}
    </Loaded>
  )
}

function SettingValue({ setting: { value, is_default } }: { readonly setting: ServiceSetting }) {
  const texts = useTexts()
  const unset = <Text c="dimmed">{texts.configuration.isUnset}</Text>
  return (
    <>
      {value === null ? unset : <code className="setting-value">{value}</code>}
      {value !== null && is_default ? (
        <Text span size="xs" c="dimmed">
          {' '}
          {texts.configuration.isDefault}
        </Text>
      ) : null}
    </>
  )
}
