import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { withQuery } from '../../api/http.ts'
import { useTexts } from '../../texts/texts.ts'
import { Icon } from '../../ui/icons.tsx'
import { Name } from '../../ui/name.tsx'
import { Status } from '../../ui/status.tsx'
import { attributeText } from './differences.ts'
import type { Attribute, Rule } from './document.ts'
import { useGroupName } from './group-input.tsx'
import { usePlace } from './place.tsx'
import type { Remark } from './problems.ts'

/** A rule as a sentence: the role that it gives or denies, and its conditions. */
export function RuleLine({ rule, id }: { readonly rule: Rule; readonly id: string }) {
  const texts = useTexts()
  const { role, deny, when = {} } = rule
  const { group, group_name: groupName, filter } = when
  const conditions: ReactNode[] = [
    ...(groupName === undefined
      ? []
      : [
          <span key="name">
            {texts.roles.inGroup('')}
            <Name>{groupName}</Name>
          </span>,
        ]),
    ...(group === undefined ? [] : [<GroupOf key="id" id={group} />]),
    ...(filter === undefined ? [] : [<code key="filter">{filter}</code>]),
  ]
  return (
    <span className="rule-line">
      <code className="rule-id">{id}</code>
      {role === undefined ? (
        <Status tone="bad" icon="cross" text={texts.roles.never(deny ?? '')} />
      ) : (
        <Status tone="good" icon="check" text={role} />
      )}
      {conditions.map((condition, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the conditions have an order of their own
        <span key={index} className="rule-condition">
          <span className="muted">{index === 0 ? texts.roles.if : texts.roles.and}</span> {condition}
        </span>
      ))}
    </span>
  )
}

/** A group that a rule names by its id, with its name where there is one. */
function GroupOf({ id }: { readonly id: string }) {
  const texts = useTexts()
  const { directory } = usePlace()
  const name = useGroupName(id)
  if (name === undefined) {
    return (
      <span>
        {texts.roles.inGroupWithId('')}
        <code>{id}</code>
      </span>
    )
  }
  return (
    <span>
      {texts.roles.inGroup('')}
      {directory === undefined ? (
        <Name>{name}</Name>
      ) : (
        <Link to={`/directories/${directory.id}/groups/${encodeURIComponent(id)}`}>
          <Name>{name}</Name>
        </Link>
      )}
    </span>
  )
}

export function AttributeLine({ name, attribute }: { readonly name: string; readonly attribute: Attribute }) {
  const texts = useTexts()
  return (
    <span className="rule-line">
      <code className="rule-id">{name}</code>
      <span className="attribute-text">{attributeText(attribute, texts.roles)}</span>
    </span>
  )
}

/** A role, with the users who have it. */
export function RoleLink({ role }: { readonly role: string }) {
  const { directory } = usePlace()
  if (directory === undefined) return <Name>{role}</Name>
  return (
    <Link to={withQuery(`/directories/${directory.id}/users`, { role })}>
      <Name>{role}</Name>
    </Link>
  )
}

/** Shows the errors and warnings of a part of the draft. */
export function RemarkList({ remarks }: { readonly remarks: readonly Remark[] | undefined }) {
  if (remarks === undefined || remarks.length === 0) return null
  return (
    <ul className="remarks">
      {remarks.map(({ text, isWarning }) => (
        <li key={text} data-warning={isWarning}>
          <Icon name={isWarning ? 'warning' : 'cross'} size={14} />
          <span>{text}</span>
        </li>
      ))}
    </ul>
  )
}
