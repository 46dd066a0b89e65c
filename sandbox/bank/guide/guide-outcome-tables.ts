/** Renders the tables of scripted outcomes, users, error triggers and codes without one for the sandbox guide. */
import { scriptedIdInFormOf } from '../authorisations/scripted-user-lookup.ts'
import { type PartnerViewOfUser, type ScriptedUser, scriptedUsers } from '../authorisations/scripted-users.ts'
import { callFaultOutcomes } from '../outcomes/call-fault-outcomes.ts'
import { callRejectionOutcomes } from '../outcomes/call-rejection-outcomes.ts'
import { customerActionOutcomes } from '../outcomes/customer-action-outcomes.ts'
import { codesWithoutTrigger, errorTriggers, type Trigger } from '../outcomes/error-triggers.ts'
import { executionOutcomes } from '../outcomes/execution-outcomes.ts'
import { rejectionOutcomes } from '../outcomes/rejection-outcomes.ts'
import { type MomentTime, NEXT_BANK_DAY, type Outcome, type PartnerViewMoment } from '../outcomes/scripted-outcome.ts'
import { durationText, table } from './guide-fixture-tables.ts'

const groups: readonly { readonly title: string; readonly rows: readonly Outcome[] }[] = [
  { title: 'Outcomes after signing', rows: executionOutcomes },
  { title: 'Customer action required', rows: customerActionOutcomes },
  { title: 'Rejected orders', rows: rejectionOutcomes },
  { title: 'Rejected approvals and cancellations', rows: callRejectionOutcomes },
  { title: 'Failing calls', rows: callFaultOutcomes },
]

/** An example id of each form, and whose ids have it. */
const exampleIds = [
  { where: 'Norway', like: '01815012345' },
  { where: 'Havbanken', like: 'KN12345' },
  { where: 'Sweden', like: '199081150100' },
  { where: 'Denmark', like: 'freja.jensen' },
  { where: 'Finland', like: '10020030' },
] as const

export function outcomeTables(): string {
  return groups
    .map(({ title, rows }) => {
      const head = ['Amount', 'Outcome', 'What the bank does', 'Bank status', 'What you see']
      return `### ${title}\n\n${table(head, rows.map(rowOf))}`
    })
    .join('\n\n')
}

export function userTables(): string {
  const decisions = table(
    ['User', 'Decisions', 'What you see'],
    scriptedUsers.map(({ name, tells, seen }) => [name, tells, seenOfUser(seen)]),
  )
  const ids = table(
    ['User', ...exampleIds.map(({ where }) => where)],
    scriptedUsers.map((user) => [user.name, ...exampleIds.map(({ like }) => idOf(user, like))]),
  )
  return `${decisions}\n\nTheir ids, by the bank's format of user ids:\n\n${ids}`
}

function rowOf({ amount, name, tells, script, seen }: Outcome): readonly string[] {
  const what = [`\`${amount}.00\``, name, tells]
  if (seen.at === 'payment') {
    return [
      ...what,
      seen.moments.map(({ bank }) => statusText(bank)).join(' → '),
      seen.moments.map(momentText).join('; '),
    ]
  }
  const { status, code } = script.rejection ?? script.callFaults?.[0] ?? {}
  const says = `\`${status}\` \`${code}\``
  const path = seen.path === undefined ? '' : ` at \`${seen.path}\``
  const where = { order: '', approval: ' when it is approved', cancellation: ' when it is cancelled' }[seen.at]
  return [...what, says, `\`${seen.status}\` \`${seen.code}\`${path}${where}`]
}

function statusText(word: string | null): string {
  return word === null ? '–' : `\`${word}\``
}

function momentText({ when, status, reason, unknown = false }: PartnerViewMoment): string {
  const why = reason === undefined ? '' : ` / \`${reason}\``
  return `${whenText(when)}: \`${status}\`${why}${unknown ? ', `503` with `Location`, `outcomeUnknown`' : ''}`
}

function whenText(when: MomentTime): string {
  if (when === NEXT_BANK_DAY) {
    return `on the ${when}`
  }
  return when.startsWith('P') ? durationText(when) : when
}

/** How the guide names what is seen, in its order. */
const seenTexts = [
  ['asking', 'consent request'],
  ['consent', 'consent'],
  ['approval', 'approval'],
  ['later', 'later payment'],
  ['order', 'order'],
  ['cancelling', 'cancelling for others'],
  ['afterwards', 'after an hour'],
] as const satisfies readonly (readonly [keyof PartnerViewOfUser, string])[]

function seenOfUser(seen: PartnerViewOfUser): string {
  return seenTexts.flatMap(([name, text]) => (seen[name] === undefined ? [] : [`${text} \`${seen[name]}\``])).join(', ')
}

function idOf(user: ScriptedUser, like: string): string {
  return `\`${scriptedIdInFormOf(user, like) ?? ''}\``
}

export function errorTriggerTable(): string {
  const rows = errorTriggers.map(({ operation, status, code, trigger }) => [
    `\`${operation}\``,
    `\`${status}\` \`${code}\``,
    triggerText(trigger),
  ])
  return table(['Operation', 'Error', 'How to get it'], rows)
}

export function codesWithoutTriggerTable(): string {
  const rows = codesWithoutTrigger.map(({ operations, codes, reason }) => [
    operations.map(quoted).join(', '),
    codes.map(quoted).join(', '),
    reason,
  ])
  return table(['Operation', 'Codes', 'Reason'], rows)
}

function triggerText(trigger: Trigger): string {
  switch (trigger.by) {
    case 'amount':
      return `amount \`${trigger.amount}.00\``
    case 'revoked-consent':
      return `the consent of ${revoker()}, an hour after it was given`
    case 'consent-at-another-bank':
      return 'a consent at another bank'
    case 'unknown-account':
      return 'an account id that is not on the consent'
    case 'fault':
      return `\`POST /control/faults\` for \`${trigger.operation}\` with \`"status": ${trigger.status}, "code": "${trigger.code}"\``
    case 'field':
      return `\`${trigger.path}\` is \`${trigger.value}\`, in a payment in EUR to Germany`
    case 'broken-json':
      return 'a body that is not JSON'
    case 'exchange-ahead':
      return `\`${trigger.amount}\` ${trigger.currency} ${trigger.currency === 'INR' ? 'to India ' : ''}from an account in kroner, due on the next bank day`
    case 'hour-of-exchange':
      return `the clock at \`${trigger.time}\` UTC on a bank day, and a payment in USD from an account in kroner due ${trigger.due}`
    case 'saturday-of-exchange':
      return 'the clock on a Saturday, and a payment in USD from an account in kroner'
    case 'cancelled-subscription':
      return 'the company after `cancelSubscription`'
    case 'existing-company':
      return 'a demo company'
    case 'onboarded-company':
      return `the company \`${trigger.organizationNumber}\` once it is onboarded, with a consent of \`${trigger.userId}\``
  }
}

function revoker(): string {
  return scriptedUsers.find(({ consentEnds }) => consentEnds?.status === 'revokedByPsu')?.name ?? ''
}

function quoted(name: string): string {
  return `\`${name}\``
}
