import { Button, Group, NativeSelect, Text, TextInput } from '@mantine/core'
import { useId } from 'react'
import { useTexts } from '../../texts/texts.ts'
import { EditableList } from '../../ui/editable-list.tsx'
import { Icon } from '../../ui/icons.tsx'
import type { Condition, ConditionPart, Rule } from './document.ts'
import { conditionParts, newRule, rolesIn, ruleIds, rulesOf, withRoles } from './document.ts'
import { GroupIdInput, GroupNameInput } from './group-input.tsx'
import { FilterInput } from './path-input.tsx'
import type { Remark, Remarked } from './problems.ts'
import { useFieldProblems } from './problems.ts'
import { RemarkList, RuleLine } from './rule-line.tsx'

/** The rules, one line each; the fields of one of them at a time. */
export function RuleList({ document, remarks, wrong, change }: Remarked) {
  const texts = useTexts()
  const ids = ruleIds(document)
  const roles = rolesIn(document)
  return (
    <EditableList
      label={texts.roles.rules}
      items={rulesOf(document)}
      nameOf={(_, index) => texts.roles.ruleNamed(ids[index] ?? '')}
      onChange={(rules) => change(withRoles(document, { rules }))}
      addLabel={texts.roles.addRule}
      newItem={() => newRule(document)}
      isOrdered
      signatureOf={(rule, index) => JSON.stringify([rule, ids[index], remarks.rules.get(index)])}
      wrong={wrong?.list === 'rules' ? wrong : undefined}
      summary={(rule, index, isOpen) => (
        <>
          <RuleLine rule={rule} id={ids[index] ?? ''} />
          <RemarkList remarks={remarks.rules.get(index)?.filter((one) => !isOpen || !isInForm(one))} />
        </>
      )}
    >
      {(rule, index, set) => (
        <RuleFields
          rule={rule}
          id={ids[index] ?? ''}
          roles={roles}
          remarks={remarks.rules.get(index) ?? []}
          isSubmitted={wrong !== undefined}
          set={set}
        />
      )}
    </EditableList>
  )
}

/** Whether a field of the form says it; what is wrong with a name that only the JSON has, does not. */
function isInForm({ field, isWarning }: Remark): boolean {
  return !isWarning && ['id', 'role', 'when', ...conditionParts].includes(field ?? '')
}

interface RuleFieldsProps {
  readonly rule: Rule
  readonly id: string
  /** The roles of the other rules, which are suggested. */
  readonly roles: readonly string[]
  readonly remarks: readonly Remark[]
  readonly isSubmitted: boolean
  readonly set: (rule: Rule) => void
}

function RuleFields({ rule, id, roles, remarks, isSubmitted, set }: RuleFieldsProps) {
  const texts = useTexts()
  const known = useId()
  const effect = rule.role === undefined && rule.deny !== undefined ? 'deny' : 'role'
  const role = rule[effect] ?? ''
  const problemOf = useFieldProblems(remarks, isSubmitted)
  const withEffect = (kind: 'role' | 'deny', value: string): Rule => ({
    id: rule.id,
    ...(kind === 'role' ? { role: value } : { deny: value }),
    when: rule.when ?? {},
  })
  return (
    <div className="rule-fields">
      <div className="field-row">
        <NativeSelect
          label={texts.roles.effect}
          value={effect}
          data={(['role', 'deny'] as const).map((value) => ({ value, label: texts.roles.effects[value] }))}
          onChange={({ currentTarget }) => set(withEffect(currentTarget.value === 'deny' ? 'deny' : 'role', role))}
        />
        <TextInput
          label={texts.roles.role}
          value={role}
          list={known}
          autoComplete="off"
          onChange={({ currentTarget }) => set(withEffect(effect, currentTarget.value))}
          maxLength={100}
          {...problemOf('role')}
        />
        <datalist id={known}>
          {roles
            .filter((one) => one !== role)
            .map((one) => (
              <option key={one} value={one} />
            ))}
        </datalist>
        <TextInput
          label={texts.roles.ruleId}
          description={texts.roles.ruleIdHint}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          value={rule.id ?? ''}
          placeholder={id}
          autoComplete="off"
          onChange={({ currentTarget: { value } }) => set({ ...rule, id: value === '' ? undefined : value })}
          maxLength={100}
          {...problemOf('id')}
        />
      </div>
      <ConditionFields
        condition={rule.when ?? {}}
        problemOf={problemOf}
        remarks={remarks.filter(({ field }) => field === 'when')}
        set={(when) => set({ ...rule, when })}
      />
    </div>
  )
}

interface ConditionFieldsProps {
  readonly condition: Condition
  readonly problemOf: (part: ConditionPart) => object
  /** What is wrong with the condition as a whole. */
  readonly remarks: readonly Remark[]
  readonly set: (condition: Condition) => void
}

/** The parts of a condition, all of which must hold. */
function ConditionFields({ condition, problemOf, remarks, set }: ConditionFieldsProps) {
  const texts = useTexts()
  const absent = conditionParts.filter((part) => condition[part] === undefined)
  return (
    <fieldset className="conditions">
      <legend>{texts.roles.conditions}</legend>
      {conditionParts.map((part) => {
        const value = condition[part]
        if (value === undefined) return null
        const field = {
          label: texts.roles.parts[part],
          description: texts.roles.partHints[part],
          value,
          rightSection: (
            <RemovePart part={texts.roles.parts[part]} remove={() => set({ ...condition, [part]: undefined })} />
          ),
          ...problemOf(part),
        }
        const change = (text: string) => set({ ...condition, [part]: text })
        if (part === 'filter') return <FilterInput key={part} {...field} onText={change} />
        const Input = part === 'group' ? GroupIdInput : GroupNameInput
        return <Input key={part} {...field} onValue={change} />
      })}
      {absent.length < conditionParts.length ? null : <RemarkList remarks={remarks} />}
      {absent.length === 0 ? null : (
        <Group gap="xs">
          <Text size="sm" c="dimmed">
            {texts.roles.addCondition}
          </Text>
          {absent.map((part) => (
            <Button
              key={part}
              size="compact-xs"
              variant="default"
              leftSection={<Icon name="plus" size={13} />}
              onClick={() => set({ ...condition, [part]: '' })}
            >
              {texts.roles.parts[part]}
            </Button>
          ))}
        </Group>
      )}
    </fieldset>
  )
}

function RemovePart({ part, remove }: { readonly part: string; readonly remove: () => void }) {
  const texts = useTexts()
  const label = texts.roles.removePart(part)
  return (
    <button type="button" className="icon-button" aria-label={label} title={label} onClick={remove}>
      <Icon name="cross" size={14} />
    </button>
  )
}
