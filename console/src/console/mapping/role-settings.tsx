import { NativeSelect, NumberInput, Text, TextInput } from '@mantine/core'
import { useTexts } from '../../texts/texts.ts'
import { EditableList } from '../../ui/editable-list.tsx'
import { rolesIn, withRoles } from './document.ts'
import { KeyInput } from './key-input.tsx'
import type { Remarked } from './problems.ts'
import { useFieldProblems } from './problems.ts'

/** How the rules count, who has a role without a rule, and how many users must keep one. */
export function RoleSettings({ document, remarks, wrong, change }: Remarked) {
  const texts = useTexts()
  const problemOf = useFieldProblems(remarks.others, wrong !== undefined)
  const isExtension = document.extends !== undefined
  const { mode = isExtension ? '' : 'all', default: defaults = [], keep_at_least: kept = {} } = document.roles ?? {}
  const keptRoles = Object.keys(kept)
  return (
    <div className="rule-fields">
      <NativeSelect
        label={texts.roles.mode}
        maw={320}
        value={mode}
        data={[
          ...(isExtension ? [{ value: '', label: texts.roles.asProduct }] : []),
          ...(['all', 'first'] as const).map((value) => ({ value, label: texts.roles.modes[value] })),
        ]}
        onChange={({ currentTarget: { value } }) => change(withRoles(document, { mode: value || undefined }))}
      />
      <fieldset className="conditions">
        <legend>{texts.roles.default}</legend>
        <EditableList<string>
          label={texts.roles.default}
          items={defaults}
          nameOf={(role) => role}
          onChange={(roles) => change(withRoles(document, { default: roles.length === 0 ? undefined : roles }))}
          addLabel={texts.roles.addDefault}
          newItem={() => ''}
        >
          {(role, index, set) => (
            <TextInput
              aria-label={texts.roles.role}
              maw={320}
              value={role}
              autoComplete="off"
              onChange={({ currentTarget }) => set(currentTarget.value)}
              {...(role === '' || defaults.indexOf(role) < index ? problemOf('default') : {})}
            />
          )}
        </EditableList>
      </fieldset>
      <fieldset className="conditions">
        <legend>{texts.roles.keep}</legend>
        <Text size="xs" c="dimmed">
          {texts.roles.keepText}
        </Text>
        <EditableList<readonly [role: string, users: number]>
          label={texts.roles.keep}
          items={Object.entries(kept)}
          nameOf={([role]) => role}
          onChange={(entries) =>
            change(
              withRoles(document, { keep_at_least: entries.length === 0 ? undefined : Object.fromEntries(entries) }),
            )
          }
          addLabel={texts.roles.addKept}
          newItem={() => [rolesIn(document).find((role) => !keptRoles.includes(role)) ?? '', 1]}
        >
          {([role, users], _, set) => (
            <div className="field-pair">
              <KeyInput
                aria-label={texts.roles.role}
                value={role}
                others={keptRoles}
                onValue={(value) => set([value, users])}
                {...problemOf(`keep ${role}`)}
              />
              <NumberInput
                aria-label={texts.roles.keepOf(role)}
                w={110}
                min={1}
                max={1_000_000}
                allowDecimal={false}
                value={users}
                onChange={(value) => set([role, Number(value) || 0])}
              />
            </div>
          )}
        </EditableList>
      </fieldset>
    </div>
  )
}
